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

/** The work of a run as data, because another thread may continue it: an action, a step of a trigger, or a look-up for a form. */
export type Work =
  | { kind: 'action'; actionName: string; runId: string; runsProgram?: boolean }
  | { kind: 'trigger'; triggerName: string; step: TriggerStep }
  | (Lookup & { kind: 'options'; search?: string })
  | (Lookup & { kind: 'properties' });

interface Lookup {
  operation: OperationName;
  propertyName: string;
}

/** Its own limit. Of an action no caller shortens it, for from the claim on the run ends by itself; a form does not wait so long. */
const LIMIT_MS: Record<Work['kind'], number> = { action: 60_000, trigger: 60_000, options: 10_000, properties: 10_000 };
/** Longer than the longest time limit of a program. */
const PROGRAM_LIMIT_MS = 310_000;

/** The context of the work, with what actions of some kinds need besides. */
type WorkContext = ResolveContext & { state?: State; sandbox?: CodeRunner | ProgramRunner };

/** Runs the work. Throws the errors of the kit. */
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

/** As messages call it. */
export const nounOf = ({ kind }: Work): string => (kind === 'action' || kind === 'trigger' ? kind : 'lookup');

/** Whether it can be done twice whatever it has sent. */
export function isRepeatable(piece: Piece, work: Work): boolean {
  return work.kind !== 'action' || piece.actions[work.actionName]?.idempotent === true;
}

/** Whether it is done in a process of its own. */
export function isIsolated(piece: Piece, work: Work): boolean {
  return work.kind === 'action' && piece.actions[work.actionName]?.isolated === true;
}

/** Returns whether the caller chose the request: its refusal says nothing about the connection. */
export function isRaw(piece: Piece, work: Work): boolean {
  return work.kind === 'action' && piece.actions[work.actionName]?.isRaw === true;
}
