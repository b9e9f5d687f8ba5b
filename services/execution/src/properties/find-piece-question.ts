import { invalid } from '@drawbridge/contracts';
import {
  findProperty,
  type JsonObject,
  type OperationName,
  type Piece,
  type Property,
  type PropertyError,
} from '@drawbridge/piece-kit';
import { type Question, requirePiece } from './find-question.js';

interface NamedProperty {
  pieceName: string;
  propertyName: string;
  input?: JsonObject;
}

/**
 * Finds a property by its name alone, in the actions first and then in the triggers. If several have it, prefers one that `problemOf` accepts
 * and whose refreshers the form has filled in; else takes the first. Throws INTEGRATION_NOT_FOUND, and VALIDATION_ERROR for an unknown name.
 */
export function findPieceQuestion(
  { pieceName, propertyName, input = {} }: NamedProperty,
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
