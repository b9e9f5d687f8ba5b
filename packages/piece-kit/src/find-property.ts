import type { Piece } from './piece.js';
import type { Property, Props } from './property.js';

/** An action of a piece. */
export interface OperationName {
  actionName: string;
}

/** What has properties. */
interface Operation {
  props: Props;
}

/** Names come from callers: `constructor` is none. */
export function findOperation({ actions }: Piece, { actionName }: OperationName): Operation | undefined {
  return Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
}

export function findProperty(piece: Piece, operation: OperationName, propertyName: string): Property | undefined {
  const { props = {} } = findOperation(piece, operation) ?? {};
  return Object.hasOwn(props, propertyName) ? props[propertyName] : undefined;
}

/** Throws an Error: who was asked by a caller has looked before. */
export function requireProperty(piece: Piece, operation: OperationName, propertyName: string): Property {
  const property = findProperty(piece, operation, propertyName);
  if (!property) throw new Error(`${piece.name}.${operation.actionName} has no property ${propertyName}`);
  return property;
}
