import { createContext, runInContext } from 'node:vm';
import { openSandbox, type Sandbox } from '@drawbridge/sandbox';
import { analyze } from './analyze.js';
import { WITHOUT_COMPILERS } from './without-compilers.js';

const CALL = "'return svc.slack.send()'";
/** Programs that reach `Function` by a computed name. The analysis does not detect this, so only WITHOUT_COMPILERS prevents their calls. */
const HIDDEN = [
  `const key = input.key; const F = (() => {})[key]; return F(${CALL})()`,
  `const [F] = [(() => {})[input.key]]; return F(${CALL})()`,
  `const [F] = [(async () => {})[input.key]]; return F(${CALL})()`,
  `const [F] = [(function* () {})[input.key]]; return F(${CALL})().next().value`,
  `const [F] = [(async function* () {})[input.key]]; return F(${CALL})().next()`,
  `const F = ((o, k) => o[k])(({})[input.key], input.key); return F(${CALL})()`,
  `class A {} const F = A[input.key]; return F(${CALL})()`,
  `const F = console.log[input.key]; return F(${CALL})()`,
  `const send = (f) => f(${CALL})(); return send(Math.max[input.key])`,
];
const INPUT = { key: 'constructor' };

let sandbox: Sandbox;
beforeAll(() => void (sandbox = openSandbox({ workers: 1 })));
afterAll(() => sandbox.close());

async function callsInSandbox(code: string): Promise<string[]> {
  const calls: string[] = [];
  const svc = ({ name }: { name: string }) => Promise.resolve(void calls.push(name));
  await sandbox.run({ organization: 'acme', code, input: INPUT, functions: { 'svc.*': svc } });
  return calls;
}

async function callsInNode(code: string): Promise<string[]> {
  const calls: string[] = [];
  const context = createContext({
    console: {},
    input: INPUT,
    svc: { slack: { send: () => calls.push('svc.slack.send') } },
  });
  await runInContext('console.log = () => {}', context);
  await Promise.resolve(runInContext(`(async function (input) {${code}\n})`, context)(INPUT)).catch(() => undefined);
  return calls;
}

describe.each([
  ['the sandbox', callsInSandbox],
  ['Node.js', callsInNode],
])('in %s', (_where, callsOf) => {
  it.each(HIDDEN)('lets %j call nothing that was not predicted', async (code) => {
    expect(analyze(code, [])).toMatchObject({ predictedTools: [], dynamicSignals: [] });
    expect(await callsOf(code)).toEqual(['svc.slack.send']);
    expect(await callsOf(WITHOUT_COMPILERS + code)).toEqual([]);
  });

  it.each([`eval(${CALL})`, `(0, eval)(${CALL})`, `Function(${CALL})()`, `new Function(${CALL})()`])(
    'does not compile text by %j',
    async (code) => {
      expect(await callsOf(WITHOUT_COMPILERS + code)).toEqual([]);
    },
  );

  it.each([
    'const Object = 1, Reflect = 2, Function = 3, eval_ = 4;',
    'class A { #x = 1 } new A().constructor.name;',
    '',
  ])('runs programs as before (%#)', async (code) => {
    expect(await callsOf(`${WITHOUT_COMPILERS}${code} await svc.slack.send()`)).toEqual(['svc.slack.send']);
  });
});

it('keeps the lines of the program', () => {
  expect(WITHOUT_COMPILERS).not.toMatch(/\n/);
});
