/**
 * Statements that must run before an analyzed program, on its first line. They remove all functions that compile strings into code. The analysis
 * cannot predict the calls of such code, and a program can reach these functions by a computed name for `constructor`. The statements use no global
 * name except `globalThis`, `eval` and `Function`, and no other global functions, because the program can declare variables with the same names.
 */
export const WITHOUT_COMPILERS =
  'for (const f of [function () {}, async function () {}, function* () {}, async function* () {}]) ' +
  "f.__proto__.__defineGetter__('constructor', () => undefined); " +
  'globalThis.eval = globalThis.Function = undefined; ';
