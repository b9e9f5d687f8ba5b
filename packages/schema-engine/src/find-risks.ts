export interface Risk {
  /** The line of the migration. */
  sql: string;
  why: string;
}

const LOSES = 'loses what is stored there, and the previous version of the service still reads it';

/** What Prisma writes on one line each, and what can go wrong with it while rows exist and the previous version runs. */
const RISKS: [pattern: RegExp, why: string][] = [
  [/\bDROP TABLE\b/, LOSES],
  [/\bDROP COLUMN\b/, LOSES],
  [/\bDROP TYPE\b/, LOSES],
  [/\bADD COLUMN\b(?!.*\bDEFAULT\b).*\bNOT NULL\b/, 'fails where rows exist: they would have no value'],
  [/\bSET NOT NULL\b/, 'fails where a row has no value, and refuses what the previous version writes'],
  [/\bSET DATA TYPE\b|\bALTER TYPE\b/, 'rewrites the table under a lock, and may fail on stored values'],
  [/\bCREATE UNIQUE INDEX\b/, 'fails where stored rows are equal'],
];

/** The lines of a migration that deserve a second look. A table that the migration itself creates has no rows to lose. */
export function findRisks(script: string): Risk[] {
  const created = [...script.matchAll(/CREATE TABLE ("\w+")/g)].map((match) => `ON ${match[1]}(`);
  return script.split('\n').flatMap((line) => {
    const why = RISKS.find(([pattern]) => pattern.test(line))?.[1];
    if (!why || created.some((table) => line.includes(table))) return [];
    return [{ sql: line.trim(), why }];
  });
}
