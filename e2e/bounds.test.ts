// Shapes: none; in full: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { isClosed, isNumber, isText, type Limit, sendable } from './support/limits.js';
import { type Call, callOperation, type Operation, operationsOf, withValue } from './support/operations.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';

let github: FakeProvider;
let operations: Operation[];
let limits: Limit[];
let mine: OwnedResources;

beforeAll(async () => {
  const product = await drawbridge();
  const { api } = product;
  github = await provider();
  operations = await operationsOf(api);
  limits = await sendable(api);
  mine = await ownedResources(api, await newPerson(product));
});
afterAll(() => github.stop());

const goodCall = async ({ id }: Limit): Promise<Call> => EVERY_OPERATION[id]!.call(mine);

/** Makes this valid call with this value in the field that has the limit. */
async function send({ id, position }: Limit, value: unknown, call: Call): Promise<Answer> {
  const operation = operations.find((one) => one.id === id)!;
  return callOperation(mine.api, operation, withValue(call, position, value));
}

/** An invalid wait for an approval has a separate error code. */
const REFUSALS = ['VALIDATION_ERROR', 'INVALID_CODE_EXECUTE_REQUEST'];

/** Returns the validation message for this value. The message for a header contains the corresponding key of the body. */
function complaint({ position }: Limit, { status, body }: Answer): string | undefined {
  const [place, name] = position.split('.') as [string, string];
  const message = body?.details?.fields?.[place === 'header' ? 'idempotencyKey' : name]?.message;
  return status === 400 && REFUSALS.includes(body.code) ? message : undefined;
}

const beyond = (most: number): RegExp => new RegExp(`maxLength ${most}$|to ${most} characters$`);

/**
 * Returns letters if the field has a pattern or is in a URL or header. Otherwise returns characters that have one code point, two UTF-16 units and
 * four bytes.
 */
const textOf = ({ schema, position }: Limit, length: number): string =>
  (schema.pattern || /^(query|header)/.test(position) ? 'a' : '😀').repeat(length);

it('every text has a maximum length', () => {
  const endless = limits.filter((limit) => isText(limit) && !isClosed(limit) && limit.schema.maxLength === undefined);
  // Excludes patterns that limit the length by themselves: ids without a format, times, and enumerations of words.
  const named = endless.filter(
    ({ schema }) => !/\{12\}|^\^\\d\{4\}-|^\^\(?[A-Za-z_|]+\)?\$$/.test(schema.pattern ?? ''),
  );
  expect(named.map(({ id, position }) => `${id} ${position}`)).toEqual([]);
});

it('every text accepts as many code points as its limit and refuses one more', async () => {
  const texts = limits.filter((limit) => isText(limit) && limit.schema.maxLength !== undefined);
  expect(texts.length).toBeGreaterThan(20);
  for (const limit of texts) {
    const { id, position } = limit;
    const most = limit.schema.maxLength!;
    // A refused call changes nothing, so the same call is valid for the text that is accepted.
    const call = await goodCall(limit);
    const over = complaint(limit, await send(limit, textOf(limit, most + 1), call));
    const full = complaint(limit, await send(limit, textOf(limit, most), call)) ?? '';
    expect({ id, position, full, over }).toEqual({
      id,
      position,
      full: expect.not.stringMatching(beyond(most)),
      over: expect.stringMatching(beyond(most)),
    });
  }
});

it('every number accepts its limits and refuses values outside of them', async () => {
  const numbers = limits.filter((limit) => isNumber(limit) && limit.schema.minimum !== undefined);
  expect(numbers.length).toBeGreaterThan(5);
  for (const limit of numbers) {
    const { minimum = 0, maximum = Infinity } = limit.schema;
    const values = [minimum - 1, minimum, maximum, maximum + 1].filter(Number.isFinite);
    const said = await Promise.all(
      values.map(async (value) => complaint(limit, await send(limit, value, await goodCall(limit))) ?? ''),
    );
    const refused = values.filter((_value, index) => /^(min|max|must be an integer from)/.test(said[index]!));
    const at = { id: limit.id, position: limit.position };
    expect({ ...at, refused, said }).toEqual({
      ...at,
      refused: values.filter((value) => value < minimum || value > maximum),
      said,
    });
  }
});
