import { type JsonObject, type JsonValue, member } from '@drawbridge/piece-kit';

/** Returns the most useful fields of a task, because an agent reads every character of a response. */
export function toTask(task: JsonValue): JsonObject {
  return Object.fromEntries(['id', 'title', 'url', 'created_at'].map((name) => [name, member(task, name) ?? null]));
}

/** An example of a task. */
export const TASK = {
  id: 't1',
  title: 'Make tea',
  url: 'https://acme.example/tasks/t1',
  created_at: '2026-01-31T09:00:00Z',
};
