import { type Product } from '@drawbridge/testkit';
import kafkajs from 'kafkajs';
import { eventually } from '../eventually.js';

/** The consumer groups, with the member ids that the broker assigned. */
export type Groups = Map<string, { state: string; ids: string[] }>;

const WITHIN_MS = 60_000;

/** Waits until each consumer group of the product is stable. Returns the groups. */
export async function stableGroups(product: Product): Promise<Groups> {
  return eventually(async () => {
    const groups = await groupsOf(product);
    for (const [group, { state }] of groups) expect({ group, state }).toEqual({ group, state: 'Stable' });
    return groups;
  }, WITHIN_MS);
}

async function groupsOf({ kafkaBrokers, kafkaPrefix }: Product): Promise<Groups> {
  const { Kafka, logLevel } = kafkajs;
  const admin = new Kafka({ brokers: [kafkaBrokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(kafkaPrefix));
    const described = await admin.describeGroups(names);
    return new Map(
      described.groups.map(({ groupId, state, members }) => [
        groupId.slice(kafkaPrefix.length),
        { state, ids: members.map(({ memberId }) => memberId) },
      ]),
    );
  } finally {
    await admin.disconnect();
  }
}

/** Waits until the killed members have left and their replacements have joined. Before that, their groups do not consume. */
export async function untilWhole(product: Product, killed: readonly string[], before: Groups): Promise<void> {
  await eventually(async () => {
    const now = await groupsOf(product);
    for (const [group, { ids }] of before) {
      const started = killed.filter((name) => group.startsWith(`${name.replace(/-\d+$/, '')}.`)).length;
      const { state, ids: members = [] } = now.get(group) ?? {};
      const news = members.filter((id) => !ids.includes(id)).length;
      expect({ group, state, members: members.length }).toEqual({ group, state: 'Stable', members: ids.length });
      expect(news).toBeGreaterThanOrEqual(started);
    }
  }, WITHIN_MS);
}
