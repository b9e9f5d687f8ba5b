import { type ApiTool, pathOf } from './api-tool.js';
import { toBindings } from './bindings.js';
import { findEscapes } from './escapes.js';
import { externalDomainsOf } from './external-domains.js';
import { parseProgram } from './parse-program.js';
import { signals } from './program.js';
import { toLine } from './source-text.js';
import { followSvc, type Mention } from './svc-flow.js';
import { toTree } from './syntax-tree.js';

export interface Analysis {
  /** Paths of the tools that the program can call, in the order of first appearance. Contains all tools if `analysisConfidence` is `dynamic`. */
  predictedTools: string[];
  /** Paths in the program that are not tools of the server. */
  unknownTools: string[];
  /**
   * `exact`: each use of `svc` is a call of a tool by its name. `partial`: the analysis followed variables, or found unknown tools. `dynamic`: the
   * calls cannot be predicted, for the reasons in `dynamicSignals`.
   */
  analysisConfidence: 'exact' | 'partial' | 'dynamic';
  /** The reasons why the calls cannot be predicted: `line 3: a computed name after svc`. */
  dynamicSignals: string[];
  /** Hosts of the URLs in the program. */
  externalDomains: string[];
  /** Paths of the predicted tools that store data. */
  storageIndicators: string[];
}

/** The properties of a tool that the analysis uses. */
export type AnalyzedTool = Pick<ApiTool, 'alias' | 'actionName' | 'integrationName'>;

const STORAGE = new Set(['storage', 'kv-store', 'agent-memory', 'agent-scratchpad', 'sequential-thinking']);
const MAX_UNKNOWN = 50;
const MAX_PATH = 130;
/** Methods of functions that call the function. A call of such a method on a tool calls the tool, so the tool is predicted. */
const CALLERS = new Set(['call', 'apply', 'bind']);

/**
 * Predicts which of these tools a program can call. The program is the body of an async function, in JavaScript without types. Unless
 * `analysisConfidence` is `dynamic`, the program can call no other tools, provided that WITHOUT_COMPILERS, which removes `eval` and the like, runs
 * before it. Throws CodeSyntaxError if the program is not JavaScript, is nested too deeply, or closes its enclosing function.
 */
export function analyze(code: string, tools: readonly AnalyzedTool[]): Analysis {
  const { body, hasHtmlComment, lineOf } = parseProgram(code);
  const tree = toTree(body);
  const program = { tree, bindings: toBindings(tree, body), signals: signals() };
  const flow = followSvc(program);
  findEscapes(program, flow.isTracked);
  if (hasHtmlComment && body[0]) program.signals.add(body[0], 'a comment begins like one of HTML');
  const { known, unknown, inherited } = sortOut(flow.mentions, tools);
  for (const { node } of inherited) program.signals.add(node, 'an inherited function of svc is used');

  const isDynamic = !program.signals.isEmpty;
  const predictedTools = isDynamic ? tools.map(pathOf) : known;
  const isExact = flow.isDirect && unknown.length === 0;
  return {
    predictedTools,
    unknownTools: unknown,
    analysisConfidence: isDynamic ? 'dynamic' : isExact ? 'exact' : 'partial',
    dynamicSignals: program.signals.toList(lineOf),
    externalDomains: externalDomainsOf(tree),
    storageIndicators: storageOf(predictedTools, tools),
  };
}

function sortOut(mentions: readonly Mention[], tools: readonly AnalyzedTool[]) {
  const paths = new Set(tools.map(pathOf));
  const known = new Set<string>();
  const unknown = new Set<string>();
  const inherited: Mention[] = [];
  for (const mention of [...mentions].sort((one, other) => one.node.start - other.node.start)) {
    const { alias, actionName, member } = mention;
    const path = actionName === undefined ? alias : pathOf({ alias, actionName });
    const longer = member === undefined ? path : `${path}.${member}`;
    if (paths.has(path)) known.add(path);
    else if (isInherited(actionName ?? alias)) inherited.push(mention);
    // The sandbox calls the tool with the path `a.b.c` for `svc.a.b.c`. A name can contain dots, so this can be the tool `b.c` of the alias `a`.
    if (paths.has(longer)) known.add(longer);
    else if (!paths.has(path) || !CALLERS.has(member ?? '')) addUnknown(unknown, longer);
  }
  return { known: [...known], unknown: [...unknown], inherited };
}

function addUnknown(unknown: Set<string>, path: string): void {
  if (unknown.size < MAX_UNKNOWN) unknown.add(toLine(path, MAX_PATH));
}

/**
 * Returns whether every object inherits a member of this name. An inherited function, as in `svc.slack.valueOf()`, can return an object through which
 * all tools of an alias are reachable.
 */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function storageOf(predicted: readonly string[], tools: readonly AnalyzedTool[]): string[] {
  const keeping = new Set(tools.filter(({ integrationName }) => STORAGE.has(integrationName)).map(pathOf));
  return predicted.filter((path) => keeping.has(path));
}
