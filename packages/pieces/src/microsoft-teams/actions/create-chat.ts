import { action, json, ProviderError, shortText, textAt } from '@drawbridge/piece-kit';
import { GRAPH_ORIGIN, odataText } from '../../microsoft.js';
import { pickFields, same } from '../../pick-fields.js';

/** Creates a chat. If a chat of two people exists, it is returned: https://learn.microsoft.com/graph/api/chat-post */
export const createChat = action({
  displayName: 'Create chat',
  description:
    'Creates a chat with one person, or a group chat with several people or a topic. Returns the chat with its id; that with one person may exist already.',
  category: 'write',
  adds: true,
  props: {
    people: json('People', {
      required: true,
      description: 'Ids or sign-in names of the others: ["bob@example.com"].',
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: { type: 'string', pattern: "^[^'/?#\\s]+$", maxLength: 254 },
      },
    }),
    topic: shortText('Topic', {
      description: 'The name of a group chat, without a colon.',
      pattern: '^[^:]+$',
      maxLength: 250,
    }),
  },
  run: async ({ http, input: { people, topic } }) => {
    const me = textAt(await http.json({ method: 'GET', path: '/v1.0/me', query: { $select: 'id' } }), 'id');
    if (!me) throw new ProviderError('Microsoft returned no id of the connected user');
    const isGroup = people.length > 1 || topic !== undefined;
    const body = {
      chatType: isGroup ? 'group' : 'oneOnOne',
      ...(topic !== undefined && { topic }),
      members: [me, ...people].map(toMember),
    };
    const chat = await http.json({ method: 'POST', path: '/v1.0/chats', json: body });
    return pickFields(chat, same('id', 'chatType', 'topic', 'webUrl', 'createdDateTime'));
  },
});

const toMember = (user: string) => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `${GRAPH_ORIGIN}/v1.0/users(${odataText(user)})`,
});
