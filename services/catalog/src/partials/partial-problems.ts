import {
  findOperation,
  inputSchema,
  type JsonObject,
  type JsonValue,
  operationProblem,
  type Piece,
  type Props,
} from '@drawbridge/piece-kit';
import { type Check, compileCheck, type Problems } from '../problems.js';
import { type Operation } from './apply-partials.js';

/** Maximum size of the values of one partial, in bytes of JSON. */
const MAX_BYTES = 64 * 1024;

/** A partial to validate. */
export interface RequestedPartial extends Operation {
  integrationName: string;
  values: JsonObject;
  enforcedKeys: readonly string[];
}

/** Returns the problems of a partial of this piece. `piece` is undefined if the catalog contains none with that name. */
export function partialProblems(piece: Piece | undefined, wanted: RequestedPartial): Problems {
  const { integrationName, actionName, triggerName, values } = wanted;
  if (!piece) return { integrationName: `${integrationName} is not in the catalog` };
  if (actionName && triggerName) return { triggerName: 'must be absent if actionName is set' };
  const operation = triggerName ? { triggerName } : actionName ? { actionName } : undefined;
  const problem = operation && operationProblem(piece, operation);
  if (problem) return problem;
  const operations = operation ? [findOperation(piece, operation)!.props] : allProps(piece);
  return { ...valuesProblems(operations, values), ...enforcementProblems(wanted) };
}

/** Returns the problems of default values, by path. Each value must be valid for at least one of the operations. */
export function valuesProblems(operations: Props[], values: JsonObject): Problems {
  const bytes = Buffer.byteLength(JSON.stringify(values));
  if (bytes > MAX_BYTES) return { values: `must be at most ${MAX_BYTES} bytes as JSON (got ${bytes})` };
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => valueProblems(operations, key, value)));
}

function allProps({ actions, triggers = {} }: Piece): Props[] {
  return [...Object.values(actions), ...Object.values(triggers)].map(({ props }) => props);
}

/**
 * Validates a value against the operations that have its key. One of them must accept the value. Missing required keys are not a problem here,
 * because the input of each call can contain them.
 */
function valueProblems(operations: Props[], key: string, value: JsonValue): [string, string][] {
  const having = operations.filter((props) => Object.hasOwn(props, key));
  if (having.length === 0) return [[`values.${key}`, 'unknown key']];
  if (having.some((props) => props[key]?.type === 'SECRET_TEXT'))
    return [[`values.${key}`, 'is secret, and partials are not encrypted. Send it with the call']];
  if (value === null) return [];
  const found = having.map((props) => Object.entries(checkOf(props)({ [key]: value })));
  return found.find((problems) => problems.length === 0) ?? found[0]!;
}

const checks = new Map<Props, Check>();

function checkOf(props: Props): Check {
  const check = checks.get(props) ?? compileCheck({ ...inputSchema(props), required: [] }, 'values');
  checks.set(props, check);
  return check;
}

function enforcementProblems({ values, enforcedKeys }: RequestedPartial): Problems {
  const strangers = enforcedKeys.flatMap((key, index) =>
    Object.hasOwn(values, key) ? [] : [[`enforcedKeys[${index}]`, 'is not a key of values']],
  );
  return Object.fromEntries(strangers);
}
