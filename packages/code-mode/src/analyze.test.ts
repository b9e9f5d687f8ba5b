import { analyze, type AnalyzedTool } from './analyze.js';
import { CodeSyntaxError } from './parse-program.js';

const tool = (path: string, integrationName = path.split('.')[0]!): AnalyzedTool => {
  const [alias, actionName] = path.split('.') as [string, string];
  return { alias, actionName, integrationName };
};
const TOOLS = [
  tool('slack.send'),
  tool('slack.list'),
  tool('github.create_issue'),
  tool('my-notes.save', 'agent-memory'),
  tool('keep.put', 'storage'),
];
const ALL = TOOLS.map(({ alias, actionName }) => `${alias}.${actionName}`);

it.each([
  ['await svc.slack.send({})', ['slack.send']],
  ['return svc["slack"]["list"]({})', ['slack.list']],
  ['svc[`my-notes`].save()', ['my-notes.save']],
  [
    'const a = await svc.slack.list(); for (const x of a) await svc.github.create_issue({ x })',
    ['slack.list', 'github.create_issue'],
  ],
  ['await Promise.all([1, 2].map((n) => svc.slack.send({ n })))', ['slack.send']],
  ['svc?.slack?.send?.()', ['slack.send']],
  ['const KEY = "my-notes"; svc[KEY]["sa" + "ve"]()', ['my-notes.save']],
  ['return { svc: 1, x: { slack: 2 } }', []],
  ['svc: for (;;) break svc', []],
  ['const { items } = input; const o = { n: 1, get() { return this.n } }; return items[o.get()]', []],
])('predicts exactly what %j calls', (code, predicted) => {
  const { predictedTools, analysisConfidence, dynamicSignals, unknownTools } = analyze(code, TOOLS);
  expect({ predictedTools, analysisConfidence, dynamicSignals, unknownTools }).toEqual({
    predictedTools: predicted,
    analysisConfidence: 'exact',
    dynamicSignals: [],
    unknownTools: [],
  });
});

it.each([
  ['const { slack } = svc; await slack.send()', ['slack.send']],
  ['const send = svc.slack.send; await send()', ['slack.send']],
  ['const { slack: { send: s, list } } = svc; s()', ['slack.send', 'slack.list']],
  ['let api; api = svc; const x = api; x.github.create_issue()', ['github.create_issue']],
  ['function later(s = svc) { return s.slack.list() } return later()', ['slack.list']],
  ['const c = Math.random() > 1 ? svc.slack : svc.keep; c.put?.()', ['keep.put']],
  ['let a = svc.slack; await (a ??= input).send()', ['slack.send']],
  ['let a = svc; const b = (a ||= 1); b.slack.send()', ['slack.send']],
  ['items.map(svc.slack.send)', ['slack.send']],
  ['const { send = svc.slack.list } = svc.slack; send()', ['slack.send', 'slack.list']],
  ['svc.slack.send.call(null, {})', ['slack.send']],
  ['if (svc.slack) await (0, svc.slack).send()', ['slack.send']],
  ['svc.slack.send`x`', ['slack.send']],
  ['new svc.slack.send()', ['slack.send']],
])('follows the names of %j', (code, predicted) => {
  const found = analyze(code, TOOLS);
  const { analysisConfidence, dynamicSignals } = found;
  expect({ analysisConfidence, dynamicSignals }).toEqual({ analysisConfidence: 'partial', dynamicSignals: [] });
  expect(found.predictedTools).toEqual(expect.arrayContaining(predicted));
});

it.each([
  ['await svc.slack.sned({})', ['slack.sned']],
  ['await svc.jira.list()', ['jira.list']],
  ['await svc.slack()', ['slack']],
  ['await svc.slack.send.now()', ['slack.send.now']],
  ['await svc["a\\u202eb\\n"].x()', ['a⟨U+202E⟩b .x']],
])('lists what %j names and the server does not have', (code, unknown) => {
  expect(analyze(code, TOOLS)).toMatchObject({
    unknownTools: unknown,
    analysisConfidence: 'partial',
    dynamicSignals: [],
  });
});

it.each([
  ['svc[name].send()', 'a computed name after svc'],
  ['svc.slack[name]()', 'a computed name after svc'],
  ['{ const K = "slack"; } svc[K].send()', 'a computed name after svc'],
  ['const { [name]: x } = svc', 'a computed name after svc'],
  ['const { slack, ...others } = svc', 'the rest of svc is collected by a pattern'],
  ['use(svc)', 'svc or one of its integrations is passed as a value'],
  ['return svc.slack', 'svc or one of its integrations is passed as a value'],
  ['const o = { svc }', 'svc or one of its integrations is passed as a value'],
  ['o.x = svc.slack', 'svc or one of its integrations is passed as a value'],
  ['svc.slack = svc.github', 'svc or one of its integrations is passed as a value'],
  ['({ slack: o.x } = svc)', 'svc or one of its integrations is passed as a value'],
  ['const [x] = svc', 'svc or one of its integrations is passed as a value'],
  ['let a = svc; use(a &&= a)', 'svc or one of its integrations is passed as a value'],
  ['const get = () => svc', 'svc or one of its integrations is passed as a value'],
  ['for (const x of svc) x.send()', 'svc or one of its integrations is passed as a value'],
  ['new Proxy(svc, {})', 'svc or one of its integrations is passed as a value'],
  ['class A { s = svc }', 'svc or one of its integrations is passed as a value'],
  ['await (await svc).slack.send()', 'svc or one of its integrations is passed as a value'],
  ['eval("svc")', 'eval is used'],
  ['new Function("return svc")()', 'Function is used'],
  ['(async () => {}).constructor("return svc")()', 'a constructor is read by name'],
  ['(() => {})["con" + "structor"]("x")()', 'a constructor is read by name'],
  ['const { constructor: F } = () => {}', 'a constructor is read by name'],
  ['(() => {})[key]("return svc")()', 'a function is called by a computed name'],
  ['const { [key]: F } = f', 'a pattern has a computed name'],
  ['await import("x")', 'import() is used'],
  ['with (input) { slack.send() }', 'with is used'],
  ['globalThis.svc.slack.send()', 'globalThis is used'],
  ['this.svc.slack.send()', 'this can be the global object'],
  ['const me = function () { return this }', 'this can be the global object'],
  ['s = svc; function f() { this.s.slack.send() }', 'this can be the global object'],
  ['class A extends (function () { return this })() {}', 'this can be the global object'],
  ['Reflect.get(f, key)', 'Reflect is used'],
  ['Object.getOwnPropertyDescriptor(f, key)', 'property descriptors are read'],
  ['Error.prepareStackTrace = (error, calls) => calls', 'stack traces are replaced'],
  ['function f(a) { a = svc; return arguments[0] }', 'arguments is used'],
  ['svc.slack.valueOf().send()', 'an inherited function of svc is used'],
  ['svc.valueOf().slack.send()', 'an inherited function of svc is used'],
  ['x\n<!-- y\nreturn 1', 'a comment begins like one of HTML'],
])('cannot predict what %j calls', (code, sentence) => {
  const found = analyze(`\n${code}`, TOOLS);
  expect(found.analysisConfidence).toBe('dynamic');
  expect(found.dynamicSignals).toContain(`line 2: ${sentence}`);
  expect(found.predictedTools).toEqual(ALL);
});

it.each(['svc["slack.send"]()', 'svc["slack.send"]({})', 'const { "slack.send": f } = svc; f()'])(
  'predicts what %j calls in the sandbox, which joins names with dots',
  (code) => {
    expect(analyze(code, TOOLS)).toMatchObject({ predictedTools: ['slack.send'], analysisConfidence: 'partial' });
  },
);

it('predicts a tool with a dot in its name', () => {
  const tools = [tool('a.b'), { alias: 'a', actionName: 'b.c', integrationName: 'a' }];
  expect(analyze('svc.a.b.c()', tools)).toMatchObject({ predictedTools: ['a.b', 'a.b.c'], unknownTools: [] });
});

it('does not take `this` in a class for the global object', () => {
  const code = 'class A { #n = 1; n() { return this } static { this.x = 1 } }';
  expect(analyze(code, TOOLS)).toMatchObject({ analysisConfidence: 'exact', predictedTools: [] });
});

it('reports a name that stands for more than ten integrations', () => {
  const code = `let a; ${Array.from({ length: 12 }, (_, n) => `a = svc.x${n};`).join(' ')} a.send()`;
  expect(analyze(code, TOOLS).dynamicSignals).toEqual(['line 1: one name stands for too many integrations']);
});

it('reports at most 20 signals, in the order of the program, each once', () => {
  const code = Array.from({ length: 30 }, () => 'svc[x].y(); svc[x].z()').join('\n');
  const { dynamicSignals } = analyze(code, TOOLS);
  expect(dynamicSignals).toHaveLength(20);
  expect(dynamicSignals[1]).toBe('line 2: a computed name after svc');
});

it('lists at most 50 unknown tools, each cut', () => {
  const code = Array.from({ length: 90 }, (_, n) => `svc.a${n}.${'b'.repeat(500)}()`).join('\n');
  const { unknownTools } = analyze(code, TOOLS);
  expect(unknownTools).toHaveLength(50);
  expect(unknownTools[0]).toHaveLength(130);
});

it('lists the predicted tools that keep data', () => {
  const code = 'await svc["my-notes"].save(); await svc.keep.put(); await svc.slack.list()';
  expect(analyze(code, TOOLS).storageIndicators).toEqual(['my-notes.save', 'keep.put']);
});

it('lists the hosts of URLs in texts and templates, each once', () => {
  const code = `
    const a = 'https://Api.Example.com/v1', b = "see http://user@bücher.example:80/x and https://api.example.com.";
    const c = \`https://\${host}/x\`, d = \`https://files.example/\${id}\`, e = \`https://open.\${region}.example/\`;
    // https://comment.example
    return /https:\\/\\/regex.example/;`;
  expect(analyze(code, TOOLS).externalDomains).toEqual([
    'api.example.com',
    'xn--bcher-kva.example',
    'files.example',
    'open…',
  ]);
});

it('lists at most 50 hosts', () => {
  const code = Array.from({ length: 99 }, (_, n) => `'https://h${n}.example'`).join(';');
  expect(analyze(code, TOOLS).externalDomains).toHaveLength(50);
});

const problem = (code: string): unknown => {
  try {
    return analyze(code, TOOLS);
  } catch (error) {
    if (!(error instanceof CodeSyntaxError)) throw error;
    const { code: kind, message, line, column } = error;
    return { kind, message, line, column };
  }
};

it.each([
  ['const = 1', { message: 'Unexpected token', line: 1, column: 7 }],
  ['let a\n  a b', { message: 'Unexpected token', line: 2, column: 5 }],
  ['f(', { message: 'Unexpected token', line: 1, column: 3 }],
  [
    'return 1 })(); (async function () {',
    { message: 'The program ends its own function: remove the surplus }', line: 1, column: 10 },
  ],
  ['export const a = 1', { message: "'import' and 'export' may only appear at the top level", line: 1, column: 1 }],
  ['x = /a\n/', { message: 'Unterminated regular expression', line: 1, column: 6 }],
])('refuses %j with its position', (code, expected) => {
  expect(problem(code)).toMatchObject({ kind: 'SYNTAX_ERROR', ...expected });
});

it.each([
  ['parentheses', (n: number) => '('.repeat(n) + ')'.repeat(n)],
  ['arrays', (n: number) => '['.repeat(n) + ']'.repeat(n)],
  ['blocks', (n: number) => '{'.repeat(n) + '}'.repeat(n)],
  ['arrow functions', (n: number) => 'a=>'.repeat(n) + '1'],
  ['sums', (n: number) => '1+'.repeat(n) + '1'],
  ['templates', (n: number) => '`${'.repeat(n) + '1' + '}`'.repeat(n)],
  ['negations', (n: number) => '!'.repeat(n) + '1'],
  ['conditions', (n: number) => 'a?'.repeat(n) + '1' + ':1'.repeat(n)],
  ['labels', (n: number) => Array.from({ length: n }, (_, at) => `l${at}:`).join('') + ';'],
  ['classes', (n: number) => 'class A extends '.repeat(n) + 'B' + '{}'.repeat(n)],
])('refuses 100,000 nested %s', (_what, codeOf) => {
  expect(problem(codeOf(100_000))).toMatchObject({ kind: 'SYNTAX_ERROR', message: expect.stringMatching(/nests too/) });
});

// If the stack is almost full when the engine must compile a regular expression of the parser, the engine terminates the process.
it.each([
  ['templates', (n: number) => '`${'.repeat(n) + '1' + '}`'.repeat(n)],
  ['sums', (n: number) => '1+'.repeat(n) + '1'],
  ['negations', (n: number) => '!'.repeat(n) + '1'],
  ['blocks', (n: number) => '{'.repeat(n) + '}'.repeat(n)],
  ['patterns', (n: number) => `let ${'['.repeat(n)}${']'.repeat(n)}=1`],
  ['constructors', (n: number) => `${'new '.repeat(n)}a`],
  ['powers', (n: number) => '1**'.repeat(n) + '1'],
])('refuses %s long before they fill the stack', (_what, codeOf) => {
  expect(problem(codeOf(200))).not.toMatchObject({ kind: 'SYNTAX_ERROR' });
  expect(problem(codeOf(2_001))).toMatchObject({ kind: 'SYNTAX_ERROR', message: 'The program nests too deeply' });
});

it.each(['.a', '["a"]', '(1)', '?.a', '`x`'])('walks a chain of 30,000 times %j', (link) => {
  const found = problem(`svc.slack.send${link.repeat(30_000)}`);
  expect(found).toMatchObject({ predictedTools: ['slack.send'] });
});
