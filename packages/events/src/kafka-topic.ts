import type { ITopicConfig } from 'kafkajs';

const PARTITIONS = 12;
const DAY_MS = 24 * 60 * 60 * 1000;
/** With the day of a segment, events are gone before the inboxes forget them after 7. */
const KEPT_DAYS = { delivered: 6, dead: 30 };

/**
 * A topic as it is made; `.dead` keeps the dead letters of another. A topic drops whole
 * segments: one of a day ends at the latest a day after its first event was to go.
 */
export function kafkaTopic(topic: string): ITopicConfig {
  const days = topic.endsWith('.dead') ? KEPT_DAYS.dead : KEPT_DAYS.delivered;
  const configEntries = [
    { name: 'retention.ms', value: String(days * DAY_MS) },
    { name: 'segment.ms', value: String(DAY_MS) },
  ];
  return { topic, numPartitions: PARTITIONS, configEntries };
}
