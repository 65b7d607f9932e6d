import { parseSync, Visitor } from 'oxc-parser';

/**
 * The comments above the keys of zod objects, by the path of the key. They stand once, beside what they explain: the
 * page of settings is made from them.
 */
export function keyComments(files, root) {
  const constants = new Map();
  for (const [file, source] of files) readConstants(file, source, constants);
  const found = new Map();
  walk(constants.get(root), [], constants, found);
  return found;
}

function readConstants(file, source, constants) {
  const { program, comments } = parseSync(file, source);
  const aliases = new Map();
  new Visitor({
    ImportSpecifier: (node) => aliases.set(node.local.name, node.imported.name),
    VariableDeclarator: (node) => {
      if (node.id.type !== 'Identifier') return;
      const known = { file, node: node.init, start: node.start, source, comments, aliases };
      constants.set(`${file}:${node.id.name}`, known);
      if (!constants.has(node.id.name) || isExported(node.id.name)) constants.set(node.id.name, known);
    },
  }).visit(program);

  function isExported(name) {
    return new RegExp(String.raw`^export const ${name}\b`, 'm').test(source);
  }
}

function walk(known, path, constants, found) {
  if (!known?.node || path.length > 8) return;
  const object = objectIn(known);
  if (!object) return;
  if (object.alias) {
    const named = constantFor(object.alias, known, constants);
    const comment = named && commentAbove(named, named, /^(?:export )?const $/);
    if (comment && !found.has(path.join('.'))) found.set(path.join('.'), comment);
    return walk(named, path, constants, found);
  }
  for (const property of object.node.properties) {
    const own = [...path, property.key.name ?? property.key.value];
    const comment = commentAbove(property, object);
    if (comment) found.set(own.join('.'), comment);
    walk({ ...object, node: property.value }, own, constants, found);
  }
}

/** `name: {…}` of a record is one level deeper, under whatever name. */
function objectIn(known) {
  let result;
  const { node, source } = known;
  const visit = (one) => {
    if (result || !one) return;
    if (one.type === 'ObjectExpression') result = { ...known, node: one };
    else if (one.type === 'Identifier' && one.name !== 'z') result = { ...known, alias: one.name };
    else if (one.type === 'CallExpression') {
      const called = source.slice(one.callee.start, one.callee.end);
      if (/\bz\.strictObject$/.test(called)) return visit(one.arguments[0]);
      if (/\bz\.(?:record|partialRecord)$/.test(called)) return visit(one.arguments[1]);
      if (/\bz\.(?:union|array)$/.test(called)) return visit(one.arguments[0]);
      visit(one.callee);
    } else if (one.type === 'MemberExpression') visit(one.object);
    else if (one.type === 'ArrayExpression')
      for (const element of one.elements) if (hasObject(element)) visit(element);
  };
  visit(node);
  return result;

  function hasObject(element) {
    return source.slice(element.start, element.end).includes('strictObject');
  }
}

function constantFor(name, { aliases, file }, constants) {
  return constants.get(`${file}:${name}`) ?? constants.get(aliases.get(name) ?? name);
}

/** `between`: what may stand between it and the comment. */
function commentAbove({ start }, { source, comments }, between = /^$/) {
  const above = comments.filter(({ type, end }) => type === 'Block' && end <= start).at(-1);
  if (!above || !between.test(source.slice(above.end, start).trimStart())) return undefined;
  return above.value
    .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
    .replace(/^\*\s*/, '')
    .trim();
}
