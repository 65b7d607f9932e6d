console.error('the demo is not written yet');
