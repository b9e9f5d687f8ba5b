import type { Piece } from './piece.js';
import type { Property, Props } from './property.js';

/** An action or a trigger of a piece. */
export type OperationName =
  { actionName: string; triggerName?: undefined } | { triggerName: string; actionName?: undefined };

/** The part of an action or a trigger that has properties. */
interface Operation {
  props: Props;
}

/** Finds an own key only: names come from callers, and `constructor` is not an operation. */
export function findOperation({ actions, triggers = {} }: Piece, operation: OperationName): Operation | undefined {
  const [all, name] =
    operation.actionName === undefined ? [triggers, operation.triggerName] : [actions, operation.actionName];
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Returns the problem with the name of an action or trigger, by its key; undefined if the piece has it. */
export function operationProblem(piece: Piece, operation: OperationName): Record<string, string> | undefined {
  if (findOperation(piece, operation)) return undefined;
  const [kind, all] =
    operation.actionName === undefined ? ['trigger', piece.triggers ?? {}] : ['action', piece.actions];
  const known = Object.keys(all).join(', ') || 'none';
  return { [`${kind}Name`]: `${piece.name} has no such ${kind}; it has ${known}` };
}

export function findProperty(piece: Piece, operation: OperationName, propertyName: string): Property | undefined {
  const { props = {} } = findOperation(piece, operation) ?? {};
  return Object.hasOwn(props, propertyName) ? props[propertyName] : undefined;
}

/** Throws an Error, not an ApiError: callers validate the names of requests before. */
export function requireProperty(piece: Piece, operation: OperationName, propertyName: string): Property {
  const property = findProperty(piece, operation, propertyName);
  const { actionName, triggerName = actionName } = operation;
  if (!property) throw new Error(`${piece.name}.${triggerName} has no property ${propertyName}`);
  return property;
}
