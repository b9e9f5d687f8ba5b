import { type AnyNode, type Pattern } from 'acorn';

/** Returns whether the parent only tests, compares or ignores the value. */
export function isDropped(parent: AnyNode, node: AnyNode): boolean {
  switch (parent.type) {
    case 'ExpressionStatement':
    case 'SwitchStatement':
      return true;
    case 'UnaryExpression':
      return ['typeof', '!', 'void', 'delete'].includes(parent.operator);
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    case 'ForStatement':
      return true;
    case 'ForInStatement':
      return parent.right === node;
    case 'SequenceExpression':
      return parent.expressions.at(-1) !== node;
    case 'BinaryExpression':
      return isCompared(parent, node);
    default:
      return false;
  }
}

function isCompared({ operator, left, right }: AnyNode & { type: 'BinaryExpression' }, node: AnyNode): boolean {
  if (operator === '===' || operator === '!==') return true;
  if (operator === 'in') return right === node;
  // A comparison with another value than null could convert the object to a primitive value, which would call its functions.
  const other = left === node ? right : left;
  return (operator === '==' || operator === '!=') && other.type === 'Literal' && other.raw === 'null';
}

/** Returns true if the parent expression can evaluate to the value of `node`, as in `x || node`. */
export function isPassedOn(parent: AnyNode, node: AnyNode): boolean {
  switch (parent.type) {
    case 'ChainExpression':
    case 'SequenceExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return true;
    case 'AssignmentExpression':
      return parent.right === node || isKept(parent, node);
    default:
      return false;
  }
}

/**
 * Returns true if `node` is the variable of an assignment such as `a ||= b`, which may leave the variable unchanged and then evaluates to its value.
 */
export function isKept(parent: AnyNode | undefined, node: AnyNode): boolean {
  if (parent?.type !== 'AssignmentExpression' || parent.left !== node || node.type !== 'Identifier') return false;
  return ['||=', '&&=', '??='].includes(parent.operator);
}

/** Returns the pattern to which the parent assigns the value. */
export function targetOf(parent: AnyNode, node: AnyNode): Pattern | undefined {
  if (parent.type === 'VariableDeclarator' && parent.init === node) return parent.id;
  if (parent.type === 'AssignmentPattern' && parent.right === node) return parent.left;
  if (parent.type === 'AssignmentExpression' && parent.right === node) return parent.left;
  return undefined;
}
