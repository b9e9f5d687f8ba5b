import { type AnyNode } from 'acorn';
import { type Bindings, keyOf, nameOf } from './bindings.js';
import { type Program, ROOT } from './program.js';
import { type Visited } from './syntax-tree.js';

/** Names through which code can reach the global object, compile strings, or read variables without naming them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['eval', 'eval is used'],
  ['Function', 'Function is used'],
  ['constructor', 'a constructor is read by name'],
  ['globalThis', 'globalThis is used'],
  ['Reflect', 'Reflect is used'],
  ['arguments', 'arguments is used'],
]);
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['eval', 'eval is used'],
  ['globalThis', 'globalThis is used'],
  ['constructor', 'a constructor is read by name'],
  ['prepareStackTrace', 'stack traces are replaced'],
  ['getOwnPropertyDescriptor', 'property descriptors are read'],
  ['getOwnPropertyDescriptors', 'property descriptors are read'],
  ['__lookupGetter__', 'property descriptors are read'],
  ['__lookupSetter__', 'property descriptors are read'],
]);

/**
 * Reports the ways by which a program can reach `svc` without naming it. WITHOUT_COMPILERS, which removes the constructors of functions, must run
 * before the program: the program can read `constructor` by a computed name, which is reported only if the result is called immediately.
 */
export function findEscapes(program: Program, isTracked: (name: string) => boolean): void {
  for (const visited of program.tree.nodes) findEscape(visited, program, isTracked);
}

function findEscape({ node, role, isInClass }: Visited, program: Program, isTracked: (name: string) => boolean): void {
  const { bindings, signals } = program;
  const sentence = sentenceOf(node, role, bindings);
  if (sentence !== undefined) signals.add(node, sentence);
  if (node.type === 'ThisExpression' && !isInClass && !isHarmlessThis(node, program, isTracked)) {
    signals.add(node, 'this can be the global object');
  }
}

function sentenceOf(node: AnyNode, role: string, bindings: Bindings): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return role === 'value' ? NAMES.get(node.name) : undefined;
    case 'MemberExpression':
      return PROPERTIES.get(keyOf(node, bindings) ?? '');
    case 'Property':
      return role === 'pattern' ? sentenceOfKey(node, bindings) : undefined;
    case 'CallExpression':
    case 'NewExpression':
      return isComputed(node.callee, bindings) ? 'a function is called by a computed name' : undefined;
    case 'TaggedTemplateExpression':
      return isComputed(node.tag, bindings) ? 'a function is called by a computed name' : undefined;
    case 'WithStatement':
      return 'with is used';
    case 'ImportExpression':
      return 'import() is used';
    default:
      return undefined;
  }
}

function sentenceOfKey({ key, computed }: { key: AnyNode; computed: boolean }, bindings: Bindings): string | undefined {
  const name = nameOf(key, computed, bindings);
  if (name === undefined) return bindings.isNumber(key) ? undefined : 'a pattern has a computed name';
  return PROPERTIES.get(name);
}

function isComputed(callee: AnyNode, bindings: Bindings): boolean {
  const read = callee.type === 'ChainExpression' ? callee.expression : callee;
  if (read.type !== 'MemberExpression' || !read.computed) return false;
  return keyOf(read, bindings) === undefined && !bindings.isNumber(read.property);
}

/**
 * Returns whether the program only reads a harmless property of `this`. Outside of classes `this` can be the global object, through which `svc`,
 * `eval` and variables that contain tools are reachable.
 */
function isHarmlessThis(node: AnyNode, { tree, bindings }: Program, isTracked: (name: string) => boolean): boolean {
  const parent = tree.parentOf(node);
  if (parent?.type !== 'MemberExpression' || parent.object !== node) return false;
  const name = keyOf(parent, bindings);
  return name !== undefined && name !== ROOT && !NAMES.has(name) && !isTracked(name);
}
