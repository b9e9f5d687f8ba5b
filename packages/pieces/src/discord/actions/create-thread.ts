import {
  action,
  dropdown,
  expandPath,
  InputError,
  longText,
  number,
  shortText,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { channels, WITH_THREADS } from '../options.js';
import { guildOfForm, slowmode } from '../properties.js';
import { SNOWFLAKE } from '../snowflake.js';

const PUBLIC = 11;

/**
 * Combines three requests in one action, because they differ only in the kind of channel (#start-thread-from-message, #start-thread-without-message,
 * #start-thread-in-forum-or-media-channel): https://docs.discord.com/developers/resources/channel
 */
export const createThread = action({
  displayName: 'Create thread',
  description:
    'Starts a thread in a channel, below a message, or as a post in a forum. Returns the thread with its id.',
  category: 'send',
  recipients: ['channel_id'],
  props: {
    guild_id: guildOfForm,
    channel_id: dropdown('Channel', {
      required: true,
      description: 'A text, announcement or forum channel.',
      refreshers: ['guild_id'],
      options: channels(WITH_THREADS),
      pattern: SNOWFLAKE,
      maxLength: 20,
    }),
    name: shortText('Name', { required: true, minLength: 1, maxLength: 100 }),
    message_id: shortText('Message', {
      description: 'The id of the message below which the thread starts.',
      pattern: SNOWFLAKE,
      maxLength: 20,
    }),
    forum_message: longText('First message', {
      description: 'Text of the post. Required in a forum, refused elsewhere.',
      minLength: 1,
      maxLength: 2000,
    }),
    type: staticDropdown(
      'Type',
      [
        { label: 'Public', value: PUBLIC },
        { label: 'Private', value: 12 },
        { label: 'Announcement', value: 10 },
      ],
      { description: 'For a thread without a message. Announcement channels need announcement. Defaults to public.' },
    ),
    auto_archive_duration: staticDropdown(
      'Archive after',
      [
        { label: 'One hour', value: 60 },
        { label: 'One day', value: 1440 },
        { label: 'Three days', value: 4320 },
        { label: 'One week', value: 10_080 },
      ],
      { description: 'Minutes without a message after which the thread is archived.' },
    ),
    rate_limit_per_user: number('Slow mode', slowmode),
  },
  run: async ({
    http,
    input: { guild_id: _guild, channel_id, message_id, forum_message, type = PUBLIC, ...thread },
  }) => {
    if (message_id && forum_message) throw new InputError('forum_message', 'cannot be combined with message_id');
    const path = expandPath('/api/v10/channels/{channel_id}', { channel_id });
    if (message_id) {
      const below = expandPath('/messages/{message_id}/threads', { message_id });
      return http.json({ method: 'POST', path: path + below, json: thread });
    }
    const json = forum_message ? { ...thread, message: { content: forum_message } } : { ...thread, type };
    return http.json({ method: 'POST', path: `${path}/threads`, json });
  },
});
