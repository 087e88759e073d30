/** What the package is for others: nothing else of it is imported. */
export { datesIn } from './dates-in-question.js';
export { dayOf, type DayRange, daysFrom, isWithin, lengthInDays } from './day-range.js';
