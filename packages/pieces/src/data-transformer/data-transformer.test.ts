import { Script } from 'node:vm';
import { InputError, runAction, type JsonObject, type JsonValue, type Send } from '@drawbridge/piece-kit';
import { dataTransformer } from './index.js';

const send: Send = async () => {
  throw new Error('This piece has no business on the network');
};
const transform = async (expression: string, data?: JsonValue) => {
  const input: JsonObject = { expression, ...(data !== undefined && { data }) };
  return (await runAction(dataTransformer, 'transform', { input, send }))['result'];
};

const ORDER = {
  items: [
    { name: 'a', price: 5 },
    { name: 'b', price: 20 },
    { name: 'c', price: 30 },
  ],
};

it.each<[string, JsonValue | undefined, JsonValue]>([
  ['$sum(items.price)', ORDER, 55],
  ['items[price > 10].name', ORDER, ['b', 'c']],
  ['{"names": items.name, "first": items[0]}', ORDER, { names: ['a', 'b', 'c'], first: { name: 'a', price: 5 } }],
  ['items.nothing', ORDER, null],
  ['1 + 1', undefined, 2],
  ['$', [1, 2], [1, 2]],
  ['$base64decode($base64encode("häß"))', null, 'häß'],
  ['$map([1..3], function($n) { $n * 2 })', null, [2, 4, 6]],
  ['function($x) { $x }', null, null],
  ['$replace("a-b", /-/, "+")', null, 'a+b'],
])('evaluates %s', async (expression, data, result) => {
  expect(await transform(expression, data)).toEqual(result);
});

it.each([
  ['1 +', /at character/],
  ['$sum("a")', /fails: /],
  ['$error("mine")', /mine/],
  ['$unknown()', /non-function/],
  ['{"then": /a/}', /fails: it never ends/],
])('refuses %s', async (expression, message) => {
  const refusal = await transform(expression).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InputError);
  expect(refusal).toMatchObject({ property: 'expression', message: expect.stringMatching(message) });
});

it.each([
  ['never ends', '($f := function() { $f() }; $f())', /timeout after 1000/],
  ['recurses too deeply', '($f := function($n) { 1 + $f($n + 1) }; $f(0))', /stack/i],
  ['makes a list that is too long', '[1..9999999]', /fails: /],
])('stops an expression that %s', async (_what, expression, message) => {
  await expect(transform(expression)).rejects.toThrow(message);
});

it('refuses an expression of which a single step takes too long', async () => {
  // A loop replaces a slow regular expression, because Node.js 20 aborts a process with async hooks if a timeout stops awaited work.
  const loop = new Script('for (;;);');
  const original = Script.prototype.runInContext;
  const run = import.meta.jest.spyOn(Script.prototype, 'runInContext').mockImplementation(function (
    this: Script,
    context,
    options,
  ) {
    return original.call(typeof options === 'object' && options.timeout ? loop : this, context, options);
  });
  try {
    await expect(transform('1')).rejects.toMatchObject({
      ...{ name: 'InputError', property: 'expression' },
      message: expect.stringMatching(/^fails: a single step.* takes longer than 2500 ms/),
    });
  } finally {
    run.mockRestore();
  }
});

// Each expression would return data of the process if it could reach it.
it.each([
  '$.constructor.constructor("return process")()',
  '{}.constructor.constructor("return this")()',
  '$sum.constructor("return process")()',
  '$lookup($, "constructor")',
  '$lookup({}, "__proto__")',
  '$eval("process.version")',
  '$keys(process)',
  'toBase64.constructor("return process")()',
  'window',
  '(function($x) { $x }).constructor',
  '$map([1], $lookup({}, "constructor"))',
  '$string($sum)',
])('has no access to the process through %s', async (expression) => {
  const outcome = await transform(expression, {}).catch((error: Error) => error.message);
  expect(JSON.stringify(outcome)).not.toMatch(/v\d+\.\d+|native code|pid|argv|\[object/i);
});

it('shares no state between expressions', async () => {
  await transform('$ ~> |$|{"__proto__": {"polluted": 1}}|', {}).catch(() => undefined);
  expect(await transform('{}.polluted')).toBeNull();
  expect(Object.keys(Object.prototype)).toEqual([]);
});
