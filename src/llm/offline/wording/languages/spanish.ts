import { citation } from '../citation.js';
import type { Phrases } from './phrase-book.js';
import { settings } from '../settings.js';

export const spanish: Phrases = {
  locale: 'es-ES',
  gap: ' ',
  colon: ': ',
  separator: ', ',
  yes: 'sí',
  no: 'no',
  quoted: (words) => `«${words}»`,
  units: {
    litre: 'litros',
    m3: 'm³',
    tonne: 'toneladas',
    passenger_km: 'pasajeros-km',
    tonne_km: 'toneladas-km',
    night: 'noches',
  },

  noModel: `Nota: no hay ningún modelo de lenguaje configurado; responde el modelo sin conexión integrado, con reglas fijas. Para conectar uno, defina estas variables y reinicie: ${settings}.`,
  greeting: '¡Hola!',
  thanks: 'Con mucho gusto.',
  nothingUnderWay: 'No hay nada más en curso en esta conversación.',
  identity: (name) => `Soy ${name ?? 'su asistente'}.`,
  limits:
    'Sin un modelo de lenguaje no puedo conversar libremente: reconozco lo que mis herramientas saben hacer y cuento sus resultados.',
  wordless: 'No he encontrado ninguna palabra en su mensaje.',
  cannot: (subject) =>
    `No sé responder a «${subject}»: sin un modelo de lenguaje solo hago lo que saben hacer mis herramientas.`,
  heard: 'Entendido. Para que lo recuerde, diga «recuerda que …».',
  cannotAdvise:
    'Sin un modelo de lenguaje no puedo aconsejarle libremente. Lo que sí puedo es calcular sus emisiones partida por partida: así verá cuál pesa más, y por ahí conviene empezar. Deme sus cantidades con su unidad, por ejemplo «12.000 kWh de electricidad en Senegal y 3500 litros de gasóleo».',
  canDo: 'Esto es lo que puedo hacer por usted:',
  noTools: 'Ahora mismo no hay ninguna herramienta activa en este asistente.',
  example: 'Dígame qué necesita, con sus cifras y unidades.',

  missing: 'Para continuar, me falta:',
  askMissing: '¿Puede darme estos datos?',
  quantities: (units) =>
    `cantidades mayores que cero, con su unidad (${units}), por ejemplo «12.000 kWh de electricidad»`,
  noDetails: 'los datos que hay que tener en cuenta (no he reconocido ninguno en su mensaje)',
  unread: (quoted) => `No he reconocido qué mide ${quoted}. ¿Puede precisarlo?`,
  leftOut: (quoted) => `No he reconocido qué mide ${quoted}: no está contado.`,
  setAside: (quoted) => `No contado, según su mensaje: ${quoted}. Dígame si había que contarlo.`,
  range: (quoted) => `No puedo contar un intervalo (${quoted}). ¿Qué valor debo tomar?`,
  unapplied: (quoted) => `No he aplicado ${quoted}: el resultado no lo tiene en cuenta.`,
  otherCountries: (names) =>
    `No contado para: ${names}. Cada cantidad se cuenta una sola vez; para comparar, repita la pregunta para cada país.`,
  differingPeriods: (said) =>
    `Las cantidades no son todas del mismo periodo (${said}): el total solo las suma. Indíquelas para un mismo periodo o lea las líneas una a una.`,
  tooLarge: (quoted, most) =>
    `No puedo contar ${quoted}: una cantidad llega como máximo a ${most}. ¿Puede comprobarla?`,
  tooMany: (most) =>
    `Es demasiado de una vez: trato como máximo ${most} cantidades por mensaje. ¿Puede repartirlas?`,

  failed: (reason) => `No he podido terminar: ${reason}`,
  askToMend: '¿Quiere corregir o completar su petición?',
  result: 'Esto es lo que he encontrado:',
  empty: 'Hecho; la herramienta no ha devuelto nada que mostrar.',
  stored: 'Anotado:',
  notKnown: (fields) => `Todavía sin rellenar: ${fields}.`,
  factNotKnown: (fields) => `Todavía no tengo ese dato: ${fields}.`,
  details: 'Detalle',
  refused: 'No contado',
  sources: 'Fuentes',
  caveats: 'Tenga en cuenta',
  citation,
  more: (count) => `y ${count} más`,

  summary: 'En resumen:',
  nothingToSummarise: 'Todavía no hay nada que resumir.',
  nothingToAdd: 'No tengo nada que añadir a mi última respuesta. Hágame otra pregunta o deme otras cifras.',
};
