import { pathOf } from '@drawbridge/code-mode';
import { type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { distance } from 'fastest-levenshtein';

const MAX_CHARACTERS = 64;
const MAX_SUGGESTIONS = 3;
/** A name that differs in more than half of its characters is not suggested. */
const MAX_DIFFERENCE = 0.5;

/** The tools that a program can call, by the path of the call, such as `gh.create_issue`. */
export class Tools {
  readonly byPath: ReadonlyMap<string, CodeTool>;
  private readonly names = new Map<string, string[]>();

  constructor(tools: readonly CodeTool[]) {
    this.byPath = new Map(tools.map((tool) => [pathOf(tool), tool]));
    for (const { alias, actionName } of this.byPath.values()) {
      this.names.set(alias, [...(this.names.get(alias) ?? []), actionName]);
    }
  }

  /**
   * Returns at most three paths that are most similar to an unknown path. Compares the alias first, and then only the actions of that alias, so that
   * the cost does not grow with the number of all tools.
   */
  closest(path: string): string[] {
    const dot = path.indexOf('.');
    const [given, action] = dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)];
    const alias = this.names.has(given) ? given : mostLike(given, [...this.names.keys()])[0];
    if (alias === undefined) return [];
    const actions = this.names.get(alias)!;
    return mostLike(action, actions).map((name) => `${alias}.${name}`);
  }
}

function mostLike(given: string, names: readonly string[]): string[] {
  const wanted = given.slice(0, MAX_CHARACTERS).toLowerCase();
  return names
    .map((name) => ({ name, difference: differenceOf(wanted, name.slice(0, MAX_CHARACTERS).toLowerCase()) }))
    .filter(({ difference }) => difference <= MAX_DIFFERENCE)
    .sort((a, b) => a.difference - b.difference)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Returns the edit distance divided by the length of the longer string: 0 for equal strings, 1 for entirely different strings. */
function differenceOf(one: string, other: string): number {
  return distance(one, other) / Math.max(one.length, other.length, 1);
}
