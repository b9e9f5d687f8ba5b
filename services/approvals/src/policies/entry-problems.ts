/** Limit of each list of a policy. */
export const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 255;

/** Error messages with the path of the invalid key. */
export type Problems = [path: string, problem: string][];

/** Returns the problems of a list of texts, including those that `problemOf` finds. */
export function entryProblems(
  path: string,
  list: readonly string[] = [],
  problemOf: (entry: string) => string | undefined = () => undefined,
): Problems {
  const ofEntries = list.slice(0, MAX_ENTRIES).flatMap((entry, index): Problems => {
    const problem = lengthProblem(entry) ?? problemOf(entry);
    return problem === undefined ? [] : [[`${path}[${index}]`, problem]];
  });
  return [...tooMany(path, list), ...ofEntries];
}

export function oneOf(values: readonly string[]): (entry: string) => string | undefined {
  return (entry) => (values.includes(entry) ? undefined : `must be one of ${values.join(', ')}`);
}

export function required(path: string, value: unknown): Problems {
  return value === undefined ? [[path, 'is required']] : [];
}

export function tooMany(path: string, list: readonly unknown[]): Problems {
  return list.length > MAX_ENTRIES ? [[path, `must hold at most ${MAX_ENTRIES}`]] : [];
}

function lengthProblem(entry: string): string | undefined {
  const isGood = entry !== '' && [...entry].length <= MAX_CHARACTERS;
  return isGood ? undefined : `must be 1 to ${MAX_CHARACTERS} characters`;
}
