import { expandPath, listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';

const ID = /^[A-Za-z0-9_=+-]+$/;

/** Lists the folders of all levels, which the first pages contain: https://learn.microsoft.com/graph/api/mailfolder-delta */
export const folders: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1.0/me/mailFolders/delta', query: { $select: 'displayName' } },
    { label: (folder) => textAt(folder, 'displayName') },
  );

/** Lists the calendars of the connected user: https://learn.microsoft.com/graph/api/user-list-calendars */
export const calendars: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v1.0/me/calendars', query: { $select: 'name', $top: 100 } });

/** Lists the time zones that the mailbox supports: https://learn.microsoft.com/graph/api/outlookuser-supportedtimezones */
export const timeZones: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1.0/me/outlook/supportedTimeZones' },
    { label: (zone) => textAt(zone, 'displayName'), value: 'alias' },
  );

/** Lists the attachments of the selected message: https://learn.microsoft.com/graph/api/message-list-attachments */
export const attachments: LoadOptions = async ({ http, input: { messageId } }) => {
  if (typeof messageId !== 'string' || !ID.test(messageId)) return { options: [], disabled: true };
  const path = expandPath('/v1.0/me/messages/{messageId}/attachments', { messageId });
  return listOptions(http, { method: 'GET', path, query: { $select: 'name' } });
};
