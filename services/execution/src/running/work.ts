import {
  type CodeRunner,
  type OperationName,
  type Piece,
  type ProgramRunner,
  type ResolveContext,
  resolveOptions,
  resolveProps,
  runAction,
  runTrigger,
  type State,
  type TriggerStep,
} from '@drawbridge/piece-kit';

/** The work of a run as plain data, because another thread may continue it: an action, a step of a trigger, or a lookup for a form. */
export type Work =
  | { kind: 'action'; actionName: string; runId: string; runsProgram?: boolean }
  | { kind: 'trigger'; triggerName: string; step: TriggerStep }
  | (Lookup & { kind: 'options'; search?: string })
  | (Lookup & { kind: 'properties' });

interface Lookup {
  operation: OperationName;
  propertyName: string;
}

/**
 * Time limits of work. A caller that disconnects does not shorten the limit of an action, because a claimed run continues without its caller. The
 * limit of a lookup is shorter, because a form waits for it.
 */
const LIMIT_MS: Record<Work['kind'], number> = { action: 60_000, trigger: 60_000, options: 10_000, properties: 10_000 };
/**
 * Time limit of an action that runs a program. It is longer than the longest time limit of a program, so that the failure of the program is returned.
 */
const PROGRAM_LIMIT_MS = 310_000;

/** The context of the work, and the state and sandbox that some actions need. */
type WorkContext = ResolveContext & { state?: State; sandbox?: CodeRunner | ProgramRunner };

/** Calls the function of the piece that does the work. Throws the errors of piece-kit. */
export async function doWork(piece: Piece, work: Work, context: WorkContext): Promise<object> {
  switch (work.kind) {
    case 'action':
      return runAction(piece, work.actionName, { ...context, runId: work.runId });
    case 'trigger':
      return runTrigger(piece, work.triggerName, work.step, context);
    case 'options':
      return resolveOptions(piece, work.operation, work.propertyName, { ...context, search: work.search });
    case 'properties':
      return { properties: await resolveProps(piece, work.operation, work.propertyName, context) };
    default:
      return work satisfies never;
  }
}

export const limitOf = (work: Work): number =>
  work.kind === 'action' && work.runsProgram ? PROGRAM_LIMIT_MS : LIMIT_MS[work.kind];

/** Returns the noun for error messages. */
export const nounOf = ({ kind }: Work): string => (kind === 'action' || kind === 'trigger' ? kind : 'lookup');

/** Returns true if the work can safely run again, no matter which requests it has already sent. */
export function isRepeatable(piece: Piece, work: Work): boolean {
  return work.kind !== 'action' || piece.actions[work.actionName]?.idempotent === true;
}

/** Returns true if the work runs in a separate process. */
export function isIsolated(piece: Piece, work: Work): boolean {
  return work.kind === 'action' && piece.actions[work.actionName]?.isolated === true;
}

/** Returns true if the caller chose the request to the provider. If the provider rejects such a request, the connection may still be valid. */
export function isRaw(piece: Piece, work: Work): boolean {
  return work.kind === 'action' && piece.actions[work.actionName]?.isRaw === true;
}
