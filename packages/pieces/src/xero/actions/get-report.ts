import { action, InputError, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { ACCOUNTING, onlyOf } from '../records.js';

/** Reports of a period, and reports of one day. */
const OF_PERIOD = ['ProfitAndLoss', 'BankSummary'];
const OF_DAY = ['BalanceSheet', 'TrialBalance', 'ExecutiveSummary'];
const DATE = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } as const;

/** Returns a financial report as rows with cells: https://developer.xero.com/documentation/api/accounting/reports */
export const getReport = action({
  displayName: 'Get report',
  description: 'Reads a financial report as rows with cells.',
  category: 'read',
  props: {
    report: staticDropdown('Report', [...OF_PERIOD, ...OF_DAY], { required: true, description: 'The report.' }),
    from: shortText('From', { ...DATE, description: 'First day of ProfitAndLoss and BankSummary.' }),
    to: shortText('To', {
      ...DATE,
      description: 'Last day of these reports, or the day of the others. Defaults to today.',
    }),
  },
  run: async ({ http, input: { report, from, to } }) => {
    const isOfPeriod = OF_PERIOD.includes(report);
    if (from && !isOfPeriod) throw new InputError('from', `is not for ${report}, which is the report of one day`);
    const query = isOfPeriod ? { fromDate: from, toDate: to } : { date: to };
    return onlyOf(await http.json({ method: 'GET', path: `${ACCOUNTING}/Reports/${report}`, query }), 'Reports');
  },
});
