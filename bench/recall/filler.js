/**
 * What people say to each other besides: it names the same things as the rest and tells nothing of them, so that what
 * is asked for has to be told apart. `{topic}` is one of the dialogue's, `{place}`, `{food}` and `{day}` one of these.
 */
const fillers = {
  en: {
    place: ['the station', 'the new café on the corner', 'the library', 'the supermarket', 'the park'],
    food: ['lentil soup', 'a cheese toastie', 'pancakes', 'leftover curry', 'an apple'],
    day: ['Monday', 'Tuesday', 'Thursday', 'the weekend', 'tomorrow'],
    exchanges: [
      ['How is it going with {topic}?', 'Slowly, but it is going. I will tell you more on {day}.'],
      [
        'I was thinking about {topic} on the way to {place}.',
        'Me too, funny. I think about {topic} far too often.',
      ],
      [
        'It has been raining since the morning and I cannot get warm.',
        'Same here. I made {food} and stayed in.',
      ],
      [
        'Can I call you on {day} about {topic}?',
        'Of course, any time after six. I will be at {place} before that.',
      ],
      [
        'My phone died in the middle of your message about {topic}.',
        'Never mind, it was nothing urgent. It can wait until {day}.',
      ],
      ['I had {food} for lunch and regret nothing.', 'You always say that, and then you regret it at four.'],
      [
        'Somebody asked me about {topic} today and I did not know what to say.',
        'Say that we are working on it. That is always true.',
      ],
      [
        'What do you think, should I worry about {topic}?',
        'Not today. Sleep on it, and ask me again on {day}.',
      ],
      [
        'I saw an article about {topic} and thought of you.',
        'Send it to me! I never find the time to look for such things.',
      ],
      [
        'The train was late again, I sat at {place} for an hour.',
        'Poor you. At least you had a book with you, I hope.',
      ],
      [
        'Thank you for listening the other day, when I went on about {topic}.',
        'Always. You would do the same, and you have.',
      ],
      [
        'Are you free on {day}? We could meet at {place}.',
        'I would love to, I only have to see what becomes of {topic}.',
      ],
      ['I dreamt of {topic}, can you imagine?', 'That is a sign that you need a holiday.'],
      ['Guess who I met at {place}!', 'I have no idea. Was it somebody who wanted to talk about {topic}?'],
    ],
  },
  fr: {
    place: ['la gare', 'le café du coin', 'la bibliothèque', 'le marché', 'le parc'],
    food: ['une soupe de lentilles', 'des crêpes', 'une omelette', 'les restes d’hier', 'une pomme'],
    day: ['lundi', 'mardi', 'jeudi', 'ce week-end', 'demain'],
    exchanges: [
      ['Et {topic}, où en es-tu ?', 'Ça avance, doucement. Je t’en dis plus {day}.'],
      ['Je pensais à {topic} en allant vers {place}.', 'C’est drôle, moi aussi. J’y pense même un peu trop.'],
      [
        'Il pleut depuis ce matin, je n’arrive pas à me réchauffer.',
        'Pareil ici. J’ai préparé {food} et je n’ai pas bougé.',
      ],
      [
        'Je peux t’appeler {day} pour parler de {topic} ?',
        'Bien sûr, après dix-huit heures. Avant, je serai vers {place}.',
      ],
      [
        'Mon téléphone s’est éteint au milieu de ton message sur {topic}.',
        'Ce n’était rien d’urgent, ça peut attendre {day}.',
      ],
      [
        'J’ai mangé {food} à midi et je ne regrette rien.',
        'Tu dis toujours ça, et à seize heures tu regrettes.',
      ],
      [
        'On m’a demandé des nouvelles de {topic}, je n’ai pas su quoi répondre.',
        'Dis qu’on y travaille. C’est toujours vrai.',
      ],
      [
        'À ton avis, je dois m’inquiéter pour {topic} ?',
        'Pas aujourd’hui. Dors dessus, et on en reparle {day}.',
      ],
      [
        'J’ai lu un article qui m’a fait penser à {topic}.',
        'Envoie-le-moi ! Je ne prends jamais le temps de chercher.',
      ],
      [
        'Le bus était encore en retard, j’ai attendu une heure près de {place}.',
        'Ma pauvre. J’espère que tu avais de la lecture.',
      ],
      [
        'Merci de m’avoir écouté l’autre jour, quand je parlais de {topic}.',
        'Toujours. Tu ferais pareil, et tu l’as déjà fait.',
      ],
      [
        'Tu es libre {day} ? On pourrait se voir vers {place}.',
        'Avec plaisir, il faut juste que je voie ce que devient {topic}.',
      ],
      ['J’ai rêvé de {topic}, tu te rends compte ?', 'C’est le signe qu’il te faut des vacances.'],
      ['Devine qui j’ai croisé vers {place} !', 'Aucune idée. Quelqu’un qui voulait parler de {topic} ?'],
    ],
  },
  es: {
    place: ['la estación', 'la cafetería de la esquina', 'la biblioteca', 'el mercado', 'el parque'],
    food: ['una sopa de lentejas', 'una tortilla', 'unas tostadas', 'las sobras de ayer', 'una manzana'],
    day: ['el lunes', 'el martes', 'el jueves', 'el fin de semana', 'mañana'],
    exchanges: [
      ['¿Y qué tal va lo de {topic}?', 'Despacio, pero va. Te cuento más {day}.'],
      ['Iba pensando en {topic} camino de {place}.', 'Qué gracia, yo también. Pienso en ello demasiado.'],
      [
        'No ha parado de llover y no consigo entrar en calor.',
        'Igual que aquí. He hecho {food} y no me he movido.',
      ],
      ['¿Te puedo llamar {day} por lo de {topic}?', 'Claro, a partir de las seis. Antes estaré por {place}.'],
      [
        'Se me apagó el móvil a mitad de tu mensaje sobre {topic}.',
        'No era nada urgente, puede esperar hasta {day}.',
      ],
      [
        'He comido {food} y no me arrepiento de nada.',
        'Siempre dices lo mismo, y a las cuatro te arrepientes.',
      ],
      [
        'Hoy me han preguntado por {topic} y no sabía qué decir.',
        'Di que estamos en ello. Eso siempre es verdad.',
      ],
      [
        '¿Tú crees que me tengo que preocupar por {topic}?',
        'Hoy no. Consúltalo con la almohada y hablamos {day}.',
      ],
      [
        'He leído un artículo que me ha recordado a {topic}.',
        '¡Mándamelo! Nunca tengo tiempo de buscar esas cosas.',
      ],
      [
        'El autobús llegó tarde otra vez, estuve una hora en {place}.',
        'Pobre. Espero que llevaras un libro.',
      ],
      [
        'Gracias por escucharme el otro día con lo de {topic}.',
        'Siempre. Tú harías lo mismo, y lo has hecho.',
      ],
      [
        '¿Estás libre {day}? Podríamos vernos en {place}.',
        'Me encantaría, sólo tengo que ver qué pasa con {topic}.',
      ],
      ['He soñado con {topic}, ¿te lo puedes creer?', 'Eso es que necesitas vacaciones.'],
      ['¡Adivina a quién he visto en {place}!', 'Ni idea. ¿A alguien que quería hablar de {topic}?'],
    ],
  },
  'zh-Hant': {
    place: ['車站', '巷口的咖啡店', '圖書館', '市場', '公園'],
    food: ['紅豆湯', '蛋餅', '滷肉飯', '昨天的剩菜', '蘋果'],
    day: ['星期一', '星期二', '星期四', '週末', '明天'],
    exchanges: [
      ['{topic}最近怎麼樣？', '慢慢來，{day}再跟你說。'],
      ['我去{place}的路上一直在想{topic}。', '好巧，我也是，我想{topic}想太多了。'],
      ['從早上一直下雨，我全身都暖不起來。', '我這裡也是，煮了{food}就沒出門。'],
      ['{day}可以打電話跟你聊{topic}嗎？', '當然，六點以後都可以，之前我會在{place}。'],
      ['你講到{topic}的時候我手機剛好沒電。', '沒關係，不急，等到{day}也可以。'],
      ['我中午吃了{food}，一點都不後悔。', '你每次都這樣講，四點就後悔了。'],
      ['今天有人問我{topic}，我不知道怎麼回答。', '就說還在處理，這句話永遠是真的。'],
      ['你覺得我該擔心{topic}嗎？', '今天先不要，睡一覺，{day}再說。'],
      ['我看到一篇講{topic}的文章，馬上想到你。', '傳給我！我從來沒時間找這種東西。'],
      ['公車又誤點，我在{place}坐了一個小時。', '好可憐，希望你有帶書。'],
      ['謝謝你前幾天聽我抱怨{topic}。', '不用客氣，換成你也會這樣做。'],
      ['{day}有空嗎？可以約在{place}。', '好啊，我先看{topic}的狀況。'],
      ['我居然夢到{topic}，你相信嗎？', '這代表你該放假了。'],
      ['你猜我在{place}遇到誰！', '猜不到，是來問{topic}的人嗎？'],
    ],
  },
};

/** Mulberry32: the same filler on every run. */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Pairs of a line and its reply until there are `count` messages. */
export function fillerLines(language, topics, count, random) {
  const { exchanges, ...slots } = fillers[language];
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  const lines = [];
  while (lines.length < count) {
    const filled = {
      topic: oneOf(topics),
      place: oneOf(slots.place),
      food: oneOf(slots.food),
      day: oneOf(slots.day),
    };
    for (const line of oneOf(exchanges)) {
      lines.push(line.replaceAll(/\{(\w+)\}/g, (_, slot) => filled[slot]));
    }
  }
  return lines.slice(0, count);
}
