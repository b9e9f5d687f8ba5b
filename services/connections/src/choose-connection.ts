import { type ConnectionScope } from '@drawbridge/contracts';

/** A connection that a call might use: its facts, not its credential. */
export interface Candidate {
  id: string;
  scope: ConnectionScope;
  status: string;
  suspendedAt: Date | null;
  createdAt: Date;
  /** Grows when the credential is replaced. */
  generation: number;
  displayName: string;
}

/** `obstacle`: why the chosen connection cannot be used. */
export interface Choice extends Pick<Candidate, 'id' | 'generation' | 'displayName'> {
  obstacle?: 'error' | 'suspended';
}

/** How a configured integration selects its connection. */
export interface InstanceStrategy {
  strategy: string;
  connectionId?: string;
}

export const DISTANCE: Record<ConnectionScope, number> = { USER: 0, WORKSPACE: 1, ORGANIZATION: 2 };

/**
 * Chooses by owner: the end user's own, then the workspace's, then the organization's; newest first. Usable connections come before unusable ones.
 */
export function chooseConnection(candidates: readonly Candidate[]): Choice | undefined {
  const ordered = [...candidates].sort(byDistanceThenAge);
  const best = ordered.find((candidate) => obstacleTo(candidate) === undefined) ?? ordered[0];
  if (!best) return undefined;
  const { id, generation, displayName } = best;
  return { id, generation, displayName, obstacle: obstacleTo(best) };
}

/**
 * Returns the candidates that the strategy of a configured integration allows. With a fallback, an end user's own connection takes precedence even if
 * it cannot be used: acting silently under the configured account would surprise both owners.
 */
export function eligible(candidates: readonly Candidate[], { strategy, connectionId }: InstanceStrategy): Candidate[] {
  const own = candidates.filter(({ scope }) => scope === 'USER');
  const configured = candidates.filter(({ scope, id }) => scope !== 'USER' && id === connectionId);
  switch (strategy) {
    case 'fixed':
      return configured;
    case 'per_user':
      return own;
    case 'per_user_with_fallback':
      return own.length > 0 ? own : configured;
    default:
      throw new Error(`There is no connection strategy ${strategy}`);
  }
}

function byDistanceThenAge(a: Candidate, b: Candidate): number {
  const later = b.createdAt.getTime() - a.createdAt.getTime();
  return DISTANCE[a.scope] - DISTANCE[b.scope] || later || (a.id < b.id ? 1 : -1);
}

export function obstacleTo({ status, suspendedAt }: Pick<Candidate, 'status' | 'suspendedAt'>): Choice['obstacle'] {
  if (suspendedAt) return 'suspended';
  return status === 'ACTIVE' ? undefined : 'error';
}
