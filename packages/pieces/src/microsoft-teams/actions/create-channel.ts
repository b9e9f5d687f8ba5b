import { action, expandPath, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { team } from '../properties.js';

/** Creates a channel in a team: https://learn.microsoft.com/graph/api/channel-post */
export const createChannel = action({
  displayName: 'Create channel',
  description: 'Creates a channel of a team and returns its id.',
  category: 'write',
  adds: true,
  props: {
    team_id: team,
    name: shortText('Name', { required: true, description: 'The name of the channel.', minLength: 1, maxLength: 50 }),
    description: longText('Description', { description: 'What the channel is for.', maxLength: 1_024 }),
    type: staticDropdown('Type', ['standard', 'private'], {
      description: 'Whether all team members can see it. Defaults to standard.',
    }),
  },
  run: async ({ http, input: { team_id, name, description, type } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/channels', { team_id });
    const body = { displayName: name, ...(description && { description }), ...(type && { membershipType: type }) };
    const channel = await http.json({ method: 'POST', path, json: body });
    return pickFields(channel, same('id', 'displayName', 'description', 'membershipType', 'webUrl'));
  },
});
