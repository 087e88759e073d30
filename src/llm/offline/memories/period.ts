import { DAY_MS } from '../../../common/clock.js';
import { findDates } from '../reading/dates.js';
import { fold, tidy } from '../reading/words/fold.js';

/** Days, both included, YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

const dateLabel =
  /(?:(?:\bdate|\bfecha|日期)\s?[:：]|今天是?|\btoday(?: is)?\b|\bnous sommes le\b)([^\n]{1,60})/g;

/** The day that a system prompt says it is. */
export function todayIn(prompt: string): string | null {
  for (const [, behind = ''] of fold(tidy(prompt)).matchAll(dateLabel)) {
    const date = findDates(behind)[0];
    if (date) return date.iso;
  }
  return null;
}

const weekdays = [
  /\b(?:dimanche|sunday|domingo)\b|(?:星期|週|禮拜)[日天]/,
  /\b(?:lundi|monday|lunes)\b|(?:星期|週|禮拜)一/,
  /\b(?:mardi|tuesday|martes)\b|(?:星期|週|禮拜)二/,
  /\b(?:mercredi|wednesday|miercoles)\b|(?:星期|週|禮拜)三/,
  /\b(?:jeudi|thursday|jueves)\b|(?:星期|週|禮拜)四/,
  /\b(?:vendredi|friday|viernes)\b|(?:星期|週|禮拜)五/,
  /\b(?:samedi|saturday|sabado)\b|(?:星期|週|禮拜)六/,
];
const yesterday = /\b(?:hier|yesterday|ayer)\b|昨天/;
const dayBefore = /\b(?:avant-hier|day before yesterday|anteayer|antier)\b|前天/;
const earlierToday =
  /\b(?:aujourd'hui|ce matin|tout a l'heure|today|this morning|earlier|hoy|esta manana)\b|今天|今早|剛才/;
const lastWeek =
  /\b(?:la semaine (?:derniere|passee)|last week|la semana pasada)\b|上(?:個)?(?:星期|週|禮拜)(?![一二三四五六日天])/;
const thisWeek = /\b(?:cette semaine|this week|esta semana)\b|這(?:個)?(?:星期|週|禮拜)/;
const lastMonth = /\b(?:le mois (?:dernier|passe)|last month|el mes pasado)\b|上個?月/;

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const weekdayOf = (day: string): number => new Date(day).getUTCDay();

function weekOf(day: string, weeks: number): Period {
  const monday = shifted(day, -((weekdayOf(day) + 6) % 7) + 7 * weeks);
  return { from: monday, to: shifted(monday, 6) };
}

function monthBefore(day: string): Period {
  const last = shifted(`${day.slice(0, 7)}-01`, -1);
  return { from: `${last.slice(0, 7)}-01`, to: last };
}

const tomorrow = /(?<!\p{L})(?:demain|tomorrow|(?<!(?:la|por la|de la|esta) )manana)(?!\p{L})|明天/u;
const dayAfter = /\b(?:apres-demain|day after tomorrow|pasado manana)\b|後天/;
const today = /\b(?:aujourd'hui|ce soir|today|tonight|hoy|esta noche)\b|今天|今晚/;
const coming =
  /\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain\b|\bnext (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:proximo (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo) (?:proximo|que viene))\b/;
const hanNextWeek = /下(?:個)?(?:星期|週|禮拜)[一二三四五六日天]/;

const weekdayIn = (folded: string): number => weekdays.findIndex((pattern) => pattern.test(folded));

/** The day to come that a sentence means by "tomorrow" or "next Tuesday"; null: it names none so. Folded. */
export function comingDayIn(folded: string, day: string | null): string | null {
  if (day === null || findDates(folded).length > 0) return null;
  if (dayAfter.test(folded)) return shifted(day, 2);
  if (tomorrow.test(folded)) return shifted(day, 1);
  if (today.test(folded)) return day;
  const [han] = hanNextWeek.exec(folded) ?? [];
  if (han !== undefined) return shifted(weekOf(day, 1).from, (weekdayIn(han) + 6) % 7);
  const [named] = coming.exec(folded) ?? [];
  return named === undefined ? null : shifted(day, (weekdayIn(named) - weekdayOf(day) + 7) % 7 || 7);
}

/** «Quel jour sommes-nous ?» */
const askingDay =
  /^\W*(?:(?:dis-moi|tell me|dime)\s+)?(?:(?:(?:on est|nous sommes) )?quel(?:le)? (?:jour|date) (?:sommes-nous|est-on|est-il|est-ce|on est|nous sommes|c'est|est-on aujourd'hui)|(?:on est|nous sommes|c'est) quel(?:le)? (?:jour|date)|quelle est la date|what (?:day|date) is (?:it|today)|what(?:'s| is) (?:today's|the) date|(?:que|a que) (?:dia|fecha) (?:es|estamos)|cual es la fecha)(?:,? (?:aujourd'hui|d'aujourd'hui|du jour|today|hoy|de hoy|it))?[\s?!.]*$|^(?:請問)?今天(?:是)?(?:幾號|幾月幾[日號]|星期幾|禮拜幾|什麼日子)[？?。]*$/;

export const asksForDay = (folded: string): boolean => askingDay.test(folded);

/** The time in the past that a question asks about; null: none, or it is not known which day it is. Folded. */
export function periodIn(folded: string, today: string | null): Period | null {
  const [date] = findDates(folded);
  if (date) return { from: date.iso, to: date.iso };
  if (today === null) return null;
  const on = (days: number): Period => ({ from: shifted(today, days), to: shifted(today, days) });
  if (dayBefore.test(folded)) return on(-2);
  if (yesterday.test(folded)) return on(-1);
  if (earlierToday.test(folded)) return on(0);
  if (lastWeek.test(folded)) return weekOf(today, -1);
  if (thisWeek.test(folded)) return weekOf(today, 0);
  if (lastMonth.test(folded)) return monthBefore(today);
  const weekday = weekdays.findIndex((pattern) => pattern.test(folded));
  // Of today's name the one a week ago is meant: today is called today.
  return weekday < 0 ? null : on(-((weekdayOf(today) - weekday + 7) % 7 || 7));
}

export const isWithin = (day: string | null, { from, to }: Period): boolean =>
  day !== null && from <= day && day <= to;
