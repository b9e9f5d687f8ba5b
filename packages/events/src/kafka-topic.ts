import type { ITopicConfig } from 'kafkajs';

const PARTITIONS = 12;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Plus one day for a segment, events are deleted before the inboxes forget their ids after 7 days. */
const KEPT_DAYS = { delivered: 6, dead: 30 };

/**
 * Returns the configuration of a new topic; a `.dead` topic holds the dead letters of another. Kafka deletes whole segments: a segment of one day is
 * deleted at most a day after its first event expires.
 */
export function kafkaTopic(topic: string): ITopicConfig {
  const days = topic.endsWith('.dead') ? KEPT_DAYS.dead : KEPT_DAYS.delivered;
  const configEntries = [
    { name: 'retention.ms', value: String(days * DAY_MS) },
    { name: 'segment.ms', value: String(DAY_MS) },
  ];
  return { topic, numPartitions: PARTITIONS, configEntries };
}
