import { type AnyNode, type Identifier, type MemberExpression, type Node } from 'acorn';
import { type Tree } from './syntax-tree.js';
import { isKept } from './value-uses.js';

const MAX_FOLDING = 20;
const ARITHMETIC = new Set(['-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);

/** The names in a program. Scopes are ignored: all variables of the same name are treated as one variable, so that no flow is missed. */
export type Bindings = ReturnType<typeof toBindings>;

interface Found {
  references: Map<string, Identifier[]>;
  bindings: Map<string, Identifier[]>;
}

export function toBindings(tree: Tree, body: readonly Node[]) {
  const { references, bindings } = find(tree);
  const constants = toConstants(body, bindings);
  const numbers = new Map<string, boolean>();

  /** Returns the string value of an expression if it is certain, otherwise undefined. */
  const constantOf = (node: AnyNode, depth = 0): string | undefined => {
    if (depth > MAX_FOLDING) return undefined;
    if (node.type === 'Literal') return typeof node.value === 'object' ? undefined : String(node.value);
    if (node.type === 'TemplateLiteral') return node.expressions.length > 0 ? undefined : textOf(node.quasis[0]);
    if (node.type === 'Identifier') return constants.get(node.name);
    if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
    if (!isText(node.left) && !isText(node.right)) return undefined;
    const [left, right] = [constantOf(node.left, depth + 1), constantOf(node.right, depth + 1)];
    return left === undefined || right === undefined ? undefined : left + right;
  };

  /** Returns whether the value of an expression is certainly a number. */
  const isNumber = (node: AnyNode): boolean => {
    if (node.type !== 'Identifier') return isNumeric(node);
    const known = numbers.get(node.name);
    if (known !== undefined) return known;
    const all = bindings.get(node.name) ?? [];
    const isIt = all.length > 0 && all.every((binding) => isBoundToNumber(binding, tree.parentOf(binding)));
    numbers.set(node.name, isIt);
    return isIt;
  };

  return {
    /** Returns the nodes that read the name. */
    referencesOf: (name: string): readonly Identifier[] => references.get(name) ?? [],
    isBound: (name: string): boolean => bindings.has(name),
    constantOf: (expression: AnyNode) => constantOf(expression),
    isNumber,
  };
}

/** Returns the name of the member that an expression reads if it is certain, otherwise undefined. */
export function keyOf({ property, computed }: MemberExpression, bindings: Bindings): string | undefined {
  return nameOf(property, computed, bindings);
}

/** Returns the name of a key of a pattern or a member if it is certain, otherwise undefined. */
export function nameOf(key: AnyNode, isComputed: boolean, bindings: Bindings): string | undefined {
  if (isComputed || key.type === 'Literal') return bindings.constantOf(key);
  return key.type === 'Identifier' ? key.name : undefined;
}

function find(tree: Tree): Found {
  const found: Found = { references: new Map(), bindings: new Map() };
  for (const { node, role } of tree.nodes) {
    if (node.type !== 'Identifier') continue;
    if (role === 'pattern') add(found.bindings, node);
    if (role !== 'pattern' || isKept(tree.parentOf(node), node)) add(found.references, node);
  }
  return found;
}

function add(groups: Map<string, Identifier[]>, node: Identifier): void {
  const group = groups.get(node.name);
  if (group) group.push(node);
  else groups.set(node.name, [node]);
}

/**
 * Returns the values of string constants. Only constants of the outermost scope are included: in other scopes, the name can also refer to a property
 * of the global object.
 */
function toConstants(body: readonly Node[], bindings: Found['bindings']): Map<string, string> {
  const constants = new Map<string, string>();
  for (const statement of body as readonly AnyNode[]) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type !== 'Identifier' || init?.type !== 'Literal' || typeof init.value !== 'string') continue;
      if (bindings.get(id.name)?.length === 1) constants.set(id.name, init.value);
    }
  }
  return constants;
}

/** A nested sum counts as a string, because `constantOf` returns undefined for it unless one of its operands is a string. */
function isText(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression') return true;
  return node.type !== 'Literal' || typeof node.value === 'string';
}

function textOf(quasi: AnyNode | undefined): string | undefined {
  return quasi?.type === 'TemplateElement' ? (quasi.value.cooked ?? undefined) : undefined;
}

function isNumeric(node: AnyNode): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'UnaryExpression') return ['+', '-', '~'].includes(node.operator);
  if (node.type === 'UpdateExpression') return true;
  return node.type === 'BinaryExpression' && ARITHMETIC.has(node.operator);
}

function isBoundToNumber(binding: Identifier, parent: AnyNode | undefined): boolean {
  switch (parent?.type) {
    case 'UpdateExpression':
      return true;
    case 'VariableDeclarator':
      return parent.id === binding && !!parent.init && isNumeric(parent.init);
    case 'AssignmentExpression':
      if (parent.left !== binding) return false;
      return isNumeric(parent.right) ? true : ARITHMETIC.has(parent.operator.slice(0, -1));
    default:
      return false;
  }
}
