import { recurringJob } from '../../jobs/recurring-job.js';

/** Gives up documents whose bytes never came. */
export const giveUpDocuments = recurringJob({ name: 'give-up-documents', everySeconds: 3_600 });
