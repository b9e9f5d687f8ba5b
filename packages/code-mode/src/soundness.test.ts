import { createContext, runInContext } from 'node:vm';
import { type Analysis, analyze, type AnalyzedTool } from './analyze.js';
import { flowProgramOf } from './fixtures/svc-flows.js';
import { programOf } from './fixtures/svc-programs.js';
import { CodeSyntaxError } from './parse-program.js';

const PROGRAMS = 2_000;
const ALIASES = ['slack', 'github', 'my-notes', 'keep'];
const ACTIONS = ['send', 'list', 'create_issue', 'save'];
const TOOLS: AnalyzedTool[] = ALIASES.flatMap((alias) =>
  ACTIONS.map((actionName) => ({ alias, actionName, integrationName: alias })),
);

type Context = ReturnType<typeof createContext>;

/** A VM with an `svc` object that records calls. The object is a proxy for any name, like that of the sandbox, or a plain object. */
interface Recorder {
  context: Context;
  called: Set<string>;
}

function recorder(isPlain: boolean): Recorder {
  const called = new Set<string>();
  const known = new Set(TOOLS.map(({ alias, actionName }) => `${alias}.${actionName}`));
  const record = (path: string) => () => {
    if (known.has(path)) called.add(path);
    return { items: [1, 2], ok: true };
  };
  const namespace = (path: string): unknown =>
    new Proxy(record(path), {
      get: (_target, key) =>
        typeof key === 'string' && key !== 'then' ? namespace(path ? `${path}.${key}` : key) : undefined,
    });
  const functions = (alias: string) => ACTIONS.map((name) => [name, record(`${alias}.${name}`)]);
  const plain = () => Object.fromEntries(ALIASES.map((alias) => [alias, Object.fromEntries(functions(alias))]));
  const context = createContext({ input: { alias: 'github', action: 'list', key: 'constructor' } });
  Object.defineProperty(context, 'svc', { value: isPlain ? plain() : namespace(''), enumerable: true });
  return { context, called };
}

/** Analyzes a program. A program that the parser rejects must make no call: the product does not run it, and the engine must reject it too. */
function analyzed(program: string): Pick<Analysis, 'predictedTools' | 'analysisConfidence'> {
  try {
    return analyze(program, TOOLS);
  } catch (error) {
    if (!(error instanceof CodeSyntaxError)) throw error;
    return { predictedTools: [], analysisConfidence: 'exact' };
  }
}

/** Runs a program and returns the paths that it called. */
async function calledBy(program: string, { context, called }: Recorder): Promise<Set<string>> {
  called.clear();
  try {
    await runInContext(`(async function (input) {${program}\n})`, context, { timeout: 1_000 })(context.input);
  } catch {
    // A program may fail after its calls, so the error is ignored.
  }
  for (const key of Object.keys(context)) if (key !== 'input' && key !== 'svc') delete context[key];
  return called;
}

it.each([
  ['calls tools in many forms', programOf],
  ['moves svc through variables, patterns and functions', flowProgramOf],
])(
  'predicts every tool of a random program that %s',
  async (_what, generate) => {
    const confidences = new Map<string, number>();
    const recorders = [recorder(true), recorder(false)];
    let calls = 0;
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const program = generate(seed, { aliases: ALIASES, actions: ACTIONS });
      const { predictedTools, analysisConfidence } = analyzed(program);
      confidences.set(analysisConfidence, (confidences.get(analysisConfidence) ?? 0) + 1);
      const called = await calledBy(program, recorders[seed % 2]!);
      if (analysisConfidence !== 'dynamic') calls += called.size;
      const missed = [...called].filter((path) => !predictedTools.includes(path));
      expect({ seed, program, analysisConfidence, missed }).toEqual({ seed, program, analysisConfidence, missed: [] });
    }
    expect(calls).toBeGreaterThan(PROGRAMS / 8);
    for (const confidence of ['partial', 'dynamic']) expect(confidences.get(confidence)).toBeGreaterThan(PROGRAMS / 20);
  },
  120_000,
);
