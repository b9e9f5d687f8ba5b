import {
  collect,
  expandPath,
  type JsonValue,
  type Polled,
  ProviderError,
  textAt,
  trigger,
  type TriggerContext,
} from '@drawbridge/piece-kit';
import { toMember } from '../members.js';
import { team } from '../properties.js';

/** Maximum number of members, because the cursor contains their ids. */
const MAX_MEMBERS = 10_000;

/** The users that were members, and the number of polls that found a new member, so that a user who returns is a new event. */
type Cursor = { users: string[]; round: number };

/** Members have no time of joining, so their ids are compared: https://learn.microsoft.com/graph/api/team-list-members */
export const newMember = trigger({
  kind: 'polling',
  displayName: 'New member',
  description: 'Runs when a person is added to a team of at most 10,000 members.',
  props: { team_id: team },
  sample: {
    id: 'ZWUwZjVhZTItOGJjNi00YWU1LTg0NjYtN2RhZWViYmZhMDYy',
    displayName: 'Ada Lovelace',
    email: 'ada@example.com',
    userId: '8ea0e38b-efb3-4757-924a-5f94061cf8c2',
    roles: [],
  },
  poll: async ({
    http,
    input: { team_id },
    cursor,
  }: TriggerContext<{ team_id: string }> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const path = expandPath('/v1.0/teams/{team_id}/members', { team_id });
    const members = await collect(http.pages({ method: 'GET', path, query: { $top: 999 } }, MAX_MEMBERS + 1));
    if (members.length > MAX_MEMBERS) throw new ProviderError(`The team has more than ${MAX_MEMBERS} members`);
    const users = members.flatMap((member) => textAt(member, 'userId') ?? []);
    if (cursor === undefined) return { events: [], cursor: { users, round: 0 } };
    const { users: before, round } = cursor as Cursor;
    const known = new Set(before);
    const events = members.flatMap((member) => {
      const user = textAt(member, 'userId');
      return user && !known.has(user) ? [{ id: `${user} ${round}`, data: toMember(member) }] : [];
    });
    return { events, cursor: { users, round: events.length > 0 ? round + 1 : round } };
  },
});
