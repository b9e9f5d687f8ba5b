import { choices, invalid } from '@drawbridge/contracts';
import {
  findOperation,
  findProperty,
  type JsonObject,
  type OperationName,
  operationProblem,
  type Piece,
  type Property,
  type PropertyError,
} from '@drawbridge/piece-kit';
import { findPiece, integrationNotFound } from '@drawbridge/pieces';

/** The form field (a property of an action or trigger) for which options or nested fields are requested. */
export interface Question {
  piece: Piece;
  operation: OperationName;
  propertyName: string;
  property: Property;
}

interface NamedProperty {
  integrationName: string;
  propertyName: string;
  actionName?: string;
  triggerName?: string;
}

/** Finds a property by the name of its action or trigger. Throws INTEGRATION_NOT_FOUND, and VALIDATION_ERROR for an unknown name. */
export function findQuestion({ integrationName, propertyName, ...names }: NamedProperty): Question {
  const piece = requirePiece(integrationName);
  const operation = requireOneOperation(piece, names);
  const property = findProperty(piece, operation, propertyName);
  if (property) return { piece, operation, propertyName, property };
  const known = Object.keys(findOperation(piece, operation)?.props ?? {});
  const operationName = names.actionName ?? names.triggerName;
  throw invalid({ propertyName: `${operationName} has no such property.${choices(propertyName, known)}` });
}

/** Returns the piece. Throws INTEGRATION_NOT_FOUND. */
export function requirePiece(name: string): Piece {
  const piece = findPiece(name);
  if (!piece) throw integrationNotFound(name);
  return piece;
}

function requireOneOperation(
  piece: Piece,
  { actionName, triggerName }: Pick<NamedProperty, 'actionName' | 'triggerName'>,
): OperationName {
  if (actionName !== undefined && triggerName !== undefined) {
    throw invalid({ triggerName: 'must be absent if actionName is set' });
  }
  if (actionName !== undefined) return requireOperation(piece, { actionName });
  if (triggerName !== undefined) return requireOperation(piece, { triggerName });
  throw invalid({ actionName: 'is required if triggerName is absent' });
}

function requireOperation(piece: Piece, operation: OperationName): OperationName {
  const problem = operationProblem(piece, operation);
  if (problem) throw invalid(problem);
  return operation;
}

/**
 * Finds a property by its name alone, in the actions first and then in the triggers. If several operations have the property, prefers one that
 * `problemOf` accepts and for which the form contains all refreshers (the fields that the property depends on), otherwise the first. Throws
 * INTEGRATION_NOT_FOUND, and VALIDATION_ERROR for an unknown name.
 */
export function findPieceQuestion(
  { pieceName, propertyName, input = {} }: { pieceName: string; propertyName: string; input?: JsonObject },
  problemOf: (property: Property) => PropertyError | undefined,
): Question {
  const piece = requirePiece(pieceName);
  const known = operationsOf(piece).flatMap((operation): Question[] => {
    const property = findProperty(piece, operation, propertyName);
    return property ? [{ piece, operation, propertyName, property }] : [];
  });
  const askable = known.filter(({ property }) => !problemOf(property));
  const isReady = ({ property }: Question): boolean => property.refreshers.every((name) => Object.hasOwn(input, name));
  const meant = askable.find(isReady) ?? askable[0] ?? known[0];
  if (!meant) throw invalid({ propertyName: `no action or trigger of ${pieceName} has such a property` });
  return meant;
}

function operationsOf({ actions, triggers = {} }: Piece): OperationName[] {
  return [
    ...Object.keys(actions).map((actionName) => ({ actionName })),
    ...Object.keys(triggers).map((triggerName) => ({ triggerName })),
  ];
}
