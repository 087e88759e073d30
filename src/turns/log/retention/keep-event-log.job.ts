import { recurringJob } from '../../../jobs/recurring-job.js';

/** Makes room in the one event log there is, and takes out what is past its retention. */
export const keepEventLog = recurringJob({ name: 'keep-event-log', everySeconds: 3_600 });
