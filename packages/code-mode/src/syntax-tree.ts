import { type AnyNode, type Node } from 'acorn';

/** The use of a node: its value is read (`value`), it is bound or assigned (`pattern`), or it is only a `name`, such as a label. */
export type Role = 'value' | 'pattern' | 'name';

export interface Visited {
  node: AnyNode;
  role: Role;
  /** Set if the node is code of a class, where `this` is never the global object. */
  isInClass: boolean;
}

export interface Tree {
  /** All nodes except names, in no particular order. */
  nodes: readonly Visited[];
  parentOf(node: Node): AnyNode | undefined;
}

/** The property of a node that refers to its parent. Building a map for a million nodes would take as long as parsing them. */
const PARENT = Symbol('parent');
interface Linked extends Node {
  [PARENT]?: AnyNode;
}

/** Walks a program without recursion, because expressions such as `a.b.c` can be nested as deep as the program is long. */
export function toTree(body: readonly Node[]): Tree {
  const stack: Visited[] = body.filter(isNode).map((node) => ({ node, role: 'value', isInClass: false }));
  const nodes: Visited[] = [];
  for (let visited = stack.pop(); visited; visited = stack.pop()) {
    if (visited.role === 'name') continue;
    nodes.push(visited);
    pushChildren(visited, stack);
  }
  return { nodes, parentOf: (node: Linked) => node[PARENT] };
}

/** Keys of nodes with values that the program binds or assigns, by the type of the node. */
const PATTERNS: Record<string, readonly string[]> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['params'],
  FunctionExpression: ['params'],
  ArrowFunctionExpression: ['params'],
  CatchClause: ['param'],
  AssignmentExpression: ['left'],
  AssignmentPattern: ['left'],
  UpdateExpression: ['argument'],
  ForInStatement: ['left'],
  ForOfStatement: ['left'],
  ObjectPattern: ['properties'],
  ArrayPattern: ['elements'],
  RestElement: ['argument'],
};
/** Keys of nodes with values that are only names, such as labels, and are never evaluated, by the type of the node. */
const NAMES: Record<string, readonly string[]> = {
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  MetaProperty: ['meta', 'property'],
};
/** Keys of nodes with values that are only names unless they are computed: `b` is a name in `a.b`, but not in `a[b]`. */
const KEYED: Record<string, string> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
};

function pushChildren({ node, role, isInClass }: Visited, stack: Visited[]): void {
  const values = node as AnyNode & Record<string, unknown>; // Object.entries would take twice as long.
  for (const key in values) {
    const value = values[key];
    if (typeof value !== 'object' || value === null) continue;
    const child = { role: roleOf(node, key, role), isInClass: isInClass || isClassCode(node, key) };
    if (!Array.isArray(value)) push(value, child, node, stack);
    else for (const one of value) push(one, child, node, stack);
  }
}

function push(value: unknown, how: Omit<Visited, 'node'>, parent: AnyNode, stack: Visited[]): void {
  if (!isNode(value)) return;
  const child: AnyNode & Linked = value;
  child[PARENT] = parent;
  stack.push({ node: child, role: how.role, isInClass: how.isInClass });
}

function roleOf(node: AnyNode, key: string, role: Role): Role {
  if (NAMES[node.type]?.includes(key)) return 'name';
  if (KEYED[node.type] === key) return 'computed' in node && node.computed ? 'value' : 'name';
  if (PATTERNS[node.type]?.includes(key)) return 'pattern';
  if (node.type === 'Property' && key === 'value') return role;
  // The names of functions and classes are bound too, but to values that the analysis does not use.
  return key === 'id' ? 'pattern' : 'value';
}

/** The `extends` clause and the computed keys of a class belong to the enclosing code. */
function isClassCode(node: AnyNode, key: string): boolean {
  const isMember = node.type === 'MethodDefinition' || node.type === 'PropertyDefinition';
  return (isMember && key === 'value') || node.type === 'StaticBlock';
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
