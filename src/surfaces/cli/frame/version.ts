/** A constant, so that `docket --version` reads no file. A test holds it equal to package.json. */
export const version = '0.1.0';
