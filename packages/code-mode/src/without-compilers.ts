/**
 * The statement to run in front of an analyzed program, on its first line. It removes all functions that compile text into code. The analysis cannot
 * see what such code calls: a program can hide `constructor`, which leads to them, in a computed name. It names no global functions but `globalThis`,
 * because the program can declare variables of their names.
 */
export const WITHOUT_COMPILERS =
  'for (const f of [function () {}, async function () {}, function* () {}, async function* () {}]) ' +
  "f.__proto__.__defineGetter__('constructor', () => undefined); " +
  'globalThis.eval = globalThis.Function = undefined; ';
