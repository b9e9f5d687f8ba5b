import { action, listAt, member, shortText, staticDropdown, type JsonObject } from '@drawbridge/piece-kit';

const DATE = { pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' } as const;

/** Returns email statistics by day, week or month: https://www.twilio.com/docs/sendgrid/api-reference/stats/retrieve-global-email-statistics */
export const getStats = action({
  displayName: 'Get statistics',
  description:
    'Returns numbers of requested, delivered, opened, clicked, bounced and reported emails by day, week or month.',
  category: 'read',
  props: {
    start_date: shortText('From', { required: true, description: 'First day, such as 2026-01-31.', ...DATE }),
    end_date: shortText('To', { description: 'Defaults to today.', ...DATE }),
    aggregated_by: staticDropdown('Interval', ['day', 'week', 'month'], { description: 'Defaults to day.' }),
  },
  run: async ({ http, input }) => {
    const days = listAt(await http.json({ method: 'GET', path: '/v3/stats', query: input }));
    return days.map((day) => ({
      date: member(day, 'date') ?? null,
      ...(member(day, 'stats', 0, 'metrics') as JsonObject | undefined),
    }));
  },
});
