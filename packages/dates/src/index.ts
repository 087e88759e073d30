/** The public interface. Nothing else of the package may be imported. */
export { datesIn } from './dates-in-question.js';
export { dayOf, type DayRange, daysFrom, isWithin, lengthInDays } from './day-range.js';
