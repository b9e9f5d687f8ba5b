import type { KubernetesClient } from './kubernetes-client.js';
import { KubernetesError } from './kubernetes-errors.js';
import { OWNER_ANNOTATION } from './kubernetes-job.js';

export interface JobState {
  name: string;
  owner: string;
  /** Epoch milliseconds, of the clock of the API server. */
  createdAt: number;
  /** Set while a pod of the Job is ready. It is false for a pod that has not started, and for one on a node that does not respond. */
  isReady: boolean;
}

const PAGE = 100;
const MAX_PAGES = 100;

/** Reads all pages. The API server forgets a list after some minutes and then responds with 410; the list is then read from its start, once. */
export async function listJobs(client: KubernetesClient, path: string, labelSelector: string): Promise<JobState[]> {
  const call = { method: 'GET', path, purpose: 'list the Jobs of programs' } as const;
  const found: ListedJob[] = [];
  let next = '';
  for (let page = 0, isRestarted = false; page < MAX_PAGES; page++) {
    const query = { labelSelector, limit: String(PAGE), ...(next && { continue: next }) };
    const answer = await client.call({ ...call, query }).catch((error: unknown) => {
      if (isRestarted || !(error instanceof KubernetesError && error.status === 410)) throw error;
      isRestarted = true;
    });
    if (!answer) {
      next = '';
      found.length = 0;
      continue;
    }
    const { items, metadata } = toList<ListedJob>(answer);
    found.push(...items);
    next = metadata?.continue ?? '';
    if (next === '') break;
  }
  return found.map(({ metadata, status }) => ({
    name: metadata.name,
    owner: metadata.annotations?.[OWNER_ANNOTATION] ?? '',
    createdAt: Date.parse(metadata.creationTimestamp),
    isReady: (status?.ready ?? 0) > 0,
  }));
}

interface ListedJob {
  metadata: { name: string; creationTimestamp: string; annotations?: Record<string, string> };
  status?: { ready?: number };
}

interface List<T> {
  items: T[];
  metadata?: { continue?: string };
}

export function toList<T>(answer: unknown): List<T> {
  const list = answer as Partial<List<T>>;
  return { ...list, items: Array.isArray(list.items) ? list.items : [] };
}
