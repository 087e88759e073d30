/**
 * The words around an amount that say it is not to be counted, in folded French, English, Spanish and Chinese. `ahead`
 * are matched against what stands before an amount in its clause, up to the amount itself; `behind` against what
 * follows it. Both texts are short pieces, so that no pattern meets a long one.
 */
const determiners =
  "(?:(?:les|nos|mes|ses|leurs|ces|des|de|du|la|le|un|une|environ|the|our|my|these|those|about|los|las|el|del|nuestr[oa]s|unos|unas)\\s|[ld]')";
const start = "(?<![\\p{L}'])";

/** «hors 500 litres», «au lieu des 12 000 kWh», «excluding the 500 litres». */
const excluded = new RegExp(
  `${start}(?:hors|hormis|excepte|sauf|sans (?:y )?(?:compter|inclure|comprendre|prendre en compte|tenir compte)|au lieu|plutot qu(?:e|')|a la place|a l'exclusion|(?:et|mais) (?:non|pas)|non pas|instead of|rather than|excluding|except(?: for)?|leaving out|without (?:counting|including)|en vez|en lugar|sin (?:contar|incluir|tener en cuenta)|excepto|salvo|excluyendo|y no)\\s?${determiners}{0,3}$|(?:不含|不包括|不包含|不計|不算|而不是|而非)[^，。；、\\d]{0,4}$`,
  'u',
);

/** Words behind a «not» that take nothing back: «pas moins de», «not only», «no solo», or begin something else. */
const notDenied =
  '(?:moins|plus|seulement|uniquement|simplement|juste|que|loin|tout|si|mais|et|ou|car|donc|puis|only|just|less|fewer|more|all|far|but|and|or|until|that|if|solo|solamente|menos|mas|sino|pero|y|o)\\b';
const few = `\\s(?:(?!${notDenied})[\\p{L}'-]+\\s){0,4}`;

/** «n'avons pas consommé 3 000 kWh», «n'utilisons plus nos 500 litres», «did not use», «no consumimos», «不是». */
const denied = new RegExp(
  `${start}(?:pas|jamais)${few}$|(?:${start}ne\\s|n')(?:[\\p{L}']+\\s){1,2}plus${few}$|(?:${start}(?:not|never|no longer)|n't)${few}$|${start}no${few}$|(?:不是|並非|沒有?(?:使用|用|消耗)|不再(?:使用|用))[^，。；、\\d]{0,4}$`,
  'u',
);

/** «contre 12 000 kWh l'an dernier»: what an amount is compared with. */
const compared = new RegExp(
  `${start}(?:contre|par rapport aux?|compare[es]* (?:a|aux)|against|versus|vs\\.?|compared (?:to|with)|frente a|comparado con|en comparacion con)\\s${determiners}{0,2}$`,
  'u',
);

/** «dont 5 000 kWh», «of which», «de los cuales», «其中»: a part of the amount before it. */
const part = new RegExp(
  `${start}(?:dont|y compris|parmi lesquel\\w+|sur lesquel\\w+|of which|among which|including|de l[ao]s (?:cuales|que)|inclui[dy]\\w+)\\s(?:[\\p{L}']+\\s){0,2}$|(?:其中|包括|包含)[^，。；\\d]{0,4}$`,
  'u',
);

/** «et revendu 4 000 litres»: what was sold or given back was not used. */
const parted =
  /\b(?:(?:re)?vendu\w*|revendons|rendu\w*|cede\w*|(?:re)?sold|returned|(?:re)?vendid\w+)\s(?:[\p{L}']+\s){0,2}$/u;

export const ahead = { excluded, denied, compared, part, parted } as const;

const ofWhat = "^\\s(?:(?:de\\s|d'|du\\s|of\\s)?(?!et\\b|and\\b|y\\b|mais\\b|but\\b)[\\p{L}-]+\\s){0,3}";
export const behind = {
  /** «4 000 litres revendus» */
  parted:
    /^\s(?:(?:de|d'|of)\s?[\p{L}-]+\s)?(?:(?:ont ete|sont|were|was|fueron)\s)?(?:(?:re)?vendu\w*|rendu\w*|cede\w*|(?:re)?sold|returned|(?:re)?vendid\w+)\b/u,
  /** «500 litres de gazole non compris» */
  excluded: new RegExp(
    `${ofWhat}(?:(?:non|pas) (?:a )?(?:compri|compt|inclu)\\w+|exclus?e?s?\\b|excluded\\b|not (?:included|counted)|no incluid\\w+|excluid\\w+)|^[^，。；\\d]{0,6}(?:不算|不計|除外|不包括在內)`,
    'u',
  ),
} as const;

/** Power made by oneself is not bought from the grid. The last of these words before an amount tells which it is. */
export const making =
  /(?<![\p{L}])(?:auto)?(?:produi(?:t|s|sons|sent|sez|re)|genere\w*|generons|panneaux)(?![\p{L}])|\b(?:we|panels?|roof) (?:also )?(?:produced?|generated?)\b|\b(?:producimos|generamos|paneles|panels)\b|太陽能|光電|自行發電|自發電/gu;
export const using =
  /\b(?:consomm|achet|utilis|preleve|soutir|consum|buy|bought|purchas|use[ds]?\b|compra|usamos|gasta)|購|買|用電|使用|消耗/gu;
/** «5 000 kWh solaires», «5,000 kWh from our panels» */
export const solar =
  /^\s(?:(?:d'(?:energie|electricite|origine)|de courant|of|de energia|de electricidad)\s)?(?:solaires?|photovoltaiques?|autoproduits?|autoconsommes?|solar(?:es)?|fotovoltaic[oa]s?|(?:du|de (?:nos|notre)|from (?:our|the)|de nuestr[oa]s)\s(?:panneaux|solaire|solar|roof|panels|paneles|toiture|toit))\b|^(?:的)?(?:太陽能|光電)/u;

/** «pardon 300 kWh», «Ah non, je me suis trompé : 500 kWh», «sorry, I mean 300»: what follows stands for what was said. */
export const correction =
  /(?:^|[\s,.;:!?(-])(?:ah non|euh,? non|non,? pardon|je me (?:suis )?tromp\p{L}+|je corrige|je (?:voulais|veux) dire|(?:ou|mais|enfin) plutot|i mean|i meant|my mistake|make that|scratch that|no,? wait|wait,? no|no,? sorry|or rather|mejor dicho|quiero decir|quise decir|me equivoque|corrijo)(?![\p{L}])[^\d]{0,40}$|[\s,.;:!?(-](?:pardon|oups|oops|sorry|perdon)(?![\p{L}])[^\d]{0,40}$|[,.;!?(-]\s?(?:c'est une |une )?(?:erreur|rectification|correction|rectificacion|error)(?![\p{L}])[^\d]{0,40}$|[,.;:!?(-]\s?(?:non,?|no,|enfin,?|plutot|en fait,?|actually,?|rather|digo|en realidad,?|mas bien)\s(?:(?:c'est|c'etait|ce sont|it's|it was|it is|that's|son|eran|fueron|plutot|de)\s){0,2}$|(?:抱歉|更正|說錯|不對|口誤|我是說|應該是|應為)[^\d]{0,8}$/u;

/** «plutôt 300 kWh que 3 000 kWh», «rather 300 kWh than 3,000 kWh». */
export const preferred = {
  first: /\b(?:plutot|rather|mas bien)\s$/u,
  second: /^\s(?:que|than)\s$/u,
} as const;

/** «hors 500 litres de gazole et 200 litres d'essence»: what goes on with the same. */
export const goesOn = new RegExp(
  `^\\s?(?:(?:de\\s|d'|du\\s|of\\s)?(?!et\\b|ni\\b|and\\b|nor\\b|y\\b)[\\p{L}-]+\\s){0,3}(?:et|ni|and|nor|or|y)\\s${determiners}{0,2}$`,
  'u',
);
