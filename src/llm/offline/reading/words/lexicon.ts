/**
 * What a small company talks about with its assistant, in French, English, Spanish and Chinese: a concept and the
 * words for it. Terms are written as people write them; they are folded and stemmed when indexed. A term after «=»
 * is known only as it is written: «CA» is not «ça», and «carbón» (coal) is not «carbon».
 */
export const concepts: Readonly<Record<string, string>> = {
  // the company
  company:
    'entreprise|société|pme|tpe|boîte|company|business|firm|enterprise|sme|empresa|compañía|negocio|pyme|organisation|organization|organización|公司|企業|我們公司',
  profile: 'profil|profile|perfil|fiche|檔案|資料|簡介',
  employee:
    'salarié|employé|employée|effectif|effectifs|collaborateur|headcount|employee|staff|workforce|people|personnel|empleado|trabajador|plantilla|personne|persona|person|員工|人員|職員|名員工',
  revenue:
    "chiffre d'affaires|revenue|turnover|annual sales|facturación|volumen de negocios|ingresos|cifra de negocios|=recettes|=CA|營業額|營收|收入",
  sector:
    'secteur|sector|industry|branche|domaine d activité|secteur d activité|sector de actividad|activité|actividad|rubro|industria|行業|產業|業別',
  city: 'ville|city|town|siège|headquarters|ciudad|sede|localité|城市',
  country: 'pays|country|país|nation|國家',
  name: 'nom|name|nombre|dénomination|raison sociale|razón social|名稱|名字',
  goal: 'objectif|goal|target|objetivo|meta|ambition|engagement|commitment|compromiso|目標',
  practice: 'pratique|practice|práctica|做法|實踐|措施',
  environment:
    'environnemental|environnement|environmental|environment|ambiental|medio ambiente|écologique|環境|環保',
  language: 'langue|language|idioma|語言',
  remote_work: 'télétravail|travail à distance|remote work|teletrabajo|遠距|遠端|遠程|居家辦公',
  // what is asked for
  footprint: 'empreinte|footprint|huella|bilan|足跡',
  carbon:
    'carbone|carbon|carbono|co2|co2e|ges|ghg|gei|gaz à effet de serre|greenhouse gas|greenhouse gases|gases de efecto invernadero|émission|emission|emisión|émet|émettons|emit|emits|emite|emitimos|émettre|碳|排放|溫室氣體|碳排',
  calculate:
    'calcule|calcul|calculer|calculez|calculons|calculate|calculation|calculates|compute|calcular|calcula|cálculo|estime|estimer|estimate|estimar|estima|chiffrer|évaluer|計算|估算',
  update:
    'mettre à jour|mets à jour|met à jour|mise à jour|update|updates|modifie|modifier|change|changer|actualiza|actualizar|corrige|corriger|enregistre|enregistrer|record|store|save|set|guarda|guardar|cambia|更新|修改|記錄|儲存',
  search:
    'cherche|chercher|recherche|rechercher|trouve|trouver|search|find|look up|lookup|retrieve|retrieval|busca|buscar|encuentra|encontrar|搜尋|查詢|查找|找',
  show: 'montre|montrer|affiche|afficher|donne|show|get|display|read|muestra|mostrar|enseña|lire|顯示|查看|介紹',
  document: 'document|fichier|file|documento|archivo|rapport|report|informe|passage|文件|文檔|檔案夾|報告',
  remember:
    'souviens|rappelle moi|note que|retiens|mémorise|mémoire|souvenir|retenir|recall|remember|memory|memorise|memorize|recuerda|memoria|acuérdate|記住|記憶',
  marital:
    'estado civil|régimen matrimonial|régimen económico matrimonial|casado|casada|soltero|soltera|viudo|viuda|divorciado|divorciada|gananciales|separación de bienes|régime matrimonial|=marié|=mariée|=mariés|=mariées|célibataire|communauté de biens|marital status|unmarried|divorced',
  forget: 'oublie|oublier|forget|olvida|olvidar|忘記',
  summarise:
    'résume|résumer|résumé|synthèse|synthétise|summarise|summarize|summary|resume|resumir|resumen|sintetiza|摘要|總結',
  reduce:
    'réduire|réduction|réduis|diminuer|diminution|baisser|limiter|économiser|reduce|reduction|lower|decrease|cut|reducir|reducción|reduzco|reducimos|reduzcamos|disminuir|bajar|ahorrar|減少|降低|減碳|減量|節能',
  advice:
    'conseil|conseiller|conseille|améliorer|recommandation|recommande|astuce|advice|advise|tips|improve|recommend|consejo|aconseja|mejorar|recomienda|recomendación|建議|改善',
  continue: 'continue|continuer|poursuis|go on|carry on|continúa|continuar|sigue|繼續',
  translate: 'traduis|traduire|traduction|translate|translation|traduce|traducir|traducción|翻譯',
  weather: 'météo|temps qu il fait|weather|forecast|clima|tiempo meteorológico|天氣',
  financing:
    'financement|finance|financier|financing|funding|financiación|financiamiento|guichet|bailleur|argent|des aides|les aides|quelles aides|aide financière|aides financières|investisseur|money|investor|dinero|ayudas|inversor|融資|資金',
  loan: 'prêt|crédit|loan|credit|préstamo|crédito|貸款',
  grant: 'subvention|grant|subvención|subsidio|補助|補助金',
  guarantee: 'garantie|guarantee|garantía|擔保|保證',
  green: 'vert|verte|green|verde|綠色',
  price:
    'prix|tarif|tarifs|coût|coûte|coûtent|price|cost|tariff|precio|coste|costo|cuesta|cuestan|tarifa|價|價格|費用|費率|收費',
  // documents that are drawn up
  deed: 'escritura|acte notarié|acte authentique|deed|notarial deed|公證書',
  contract: 'contrato|contrat|contract|合約|契約',
  sale: 'compraventa|venta|vender|vendo|vente|vendre|sale|sell|買賣|出售',
  mortgage: 'hipoteca|hipotecario|hypothèque|hypothécaire|mortgage|抵押|房貸',
  lease: 'arrendamiento|alquiler|arrendar|alquilar|bail|lease|tenancy|租賃|租約',
  draft: 'borrador|brouillon|draft|草稿|草案',
  clause: 'cláusula|clause|條款',
  notary: 'notario|notaría|notarial|notaire|notarié|notary|公證人|公證',
  email: 'courriel|e mail|email|mail|correo|電子郵件',
  // energy and fuels
  electricity:
    'électricité|élec|electricity|electricidad|courant électrique|électrique|electric power|corriente|用電|電力|電',
  generator:
    'groupe électrogène|générateur|genset|generator|diesel generator|grupo electrógeno|generador|發電機',
  diesel: 'diesel|gazole|gazoil|gasoil|gas oil|diésel|gasóleo|柴油',
  petrol: 'essence|petrol|gasoline|gasolina|super sans plomb|sans plomb|bencina|nafta|汽油',
  lpg: 'gpl|lpg|glp|gaz de pétrole liquéfié|liquefied petroleum gas|液化石油氣',
  butane: 'butane|butano|gaz butane|丁烷',
  propane: 'propane|propano|gaz propane|丙烷',
  natural_gas: 'gaz naturel|natural gas|gas natural|gaz de ville|天然氣',
  kerosene: 'kérosène|kerosene|queroseno|paraffin|pétrole lampant|煤油',
  jet_fuel: 'carburéacteur|jet fuel|jet a1|combustible de aviación|航空燃油',
  fuel_oil: 'fioul|fuel oil|fuelóleo|mazout|fioul lourd|heavy fuel oil|fuel óleo|重油|燃料油',
  coal: 'charbon|charbon minéral|coal|=carbón|=Carbón|carbón mineral|houille|煤|煤炭',
  charcoal: 'charbon de bois|charcoal|carbón vegetal|木炭',
  wood: 'bois|wood|madera|fuelwood|firewood|bois de chauffe|leña|木柴|木材',
  wood_chips: 'plaquettes|wood chips|astillas|木屑',
  biogas: 'biogaz|biogas|biogás|沼氣',
  lubricant: 'lubrifiant|lubricant|lubricants|lubricante|huile moteur|潤滑油',
  agricultural_residue:
    'résidus agricoles|agricultural residues|agri residues|residuos agrícolas|crop residues',
  // transport
  car: 'voiture|automobile|car|cars|coche|carro|turismo|vehículo|汽車|轎車',
  van: 'camionnette|fourgon|fourgonnette|van|vans|furgoneta|utilitaire|廂型車',
  truck: 'camion|poids lourd|truck|lorry|hgv|camión|卡車|貨車',
  articulated: 'semi remorque|articulé|articulated|artic|tráiler',
  rigid: 'porteur|rigid|rígido',
  refrigerated: 'frigorifique|refrigerated|reefer|refrigerado',
  motorbike: 'moto|motocyclette|motorbike|motorcycle|scooter|motocicleta|moped|機車|摩托車',
  bus: 'bus|autobus|autobús|minibus|公車|巴士',
  coach: 'autocar|coach|autocar|客運',
  taxi: 'taxi|taxis|計程車',
  rail: 'train|rail|ferroviaire|tren|ferrocarril|railway|火車|鐵路',
  flight: 'avion|vol|vols|flight|flights|plane|air travel|avión|vuelo|vuelos|aérien|air|航班|飛機',
  ship: 'bateau|navire|maritime|ship|sea|barco|buque|marítimo|container ship|船|海運',
  freight: 'fret|freight|marchandise|marchandises|mercancía|goods|carga|貨運',
  short: 'court courrier|short haul|court|short|corto|corta distancia|短程',
  long: 'long courrier|long haul|long|larga distancia|largo|長程',
  economy: 'économique|classe économique|economy|económica|turista|經濟艙',
  business_class: 'classe affaires|business class|clase ejecutiva|商務艙',
  hotel: 'hôtel|hotel|hébergement|飯店|旅館',
  // waste, water, materials
  waste:
    'déchet|déchets|waste|rubbish|garbage|trash|ordures|jeté|jetée|jetons|thrown away|residuo|residuos|basura|desecho|desechos|tirado|tiramos|廢棄物|垃圾|廢|丟棄',
  bought:
    'acheté|achetée|achetés|achetées|achetons|achète|acheter|achat|achats|bought|buy|purchase|purchased|comprado|comprada|comprados|compradas|compramos|compras|adquirido|採購|購買|購入|買',
  landfill:
    'enfoui|enfouis|enfouie|enfouissement|décharge|landfill|landfilled|vertedero|relleno sanitario|enterrado|enterrados|掩埋',
  sorting:
    'tri|trier|trie|trié|triée|triés|triées|trions|sorted|sorting|separamos|separados|clasificamos|分類',
  recycling: 'recyclé|recyclés|recyclage|recycling|recycled|recicla|reciclado|reciclados|reciclaje|回收',
  composting: 'composté|compost|compostage|composting|composted|compostaje|compostado|堆肥',
  incineration: 'incinéré|incinérés|incinération|incineration|incinerated|incinerado|incineración|焚化',
  digestion: 'méthanisation|anaerobic digestion|anaerobic|digestión anaerobia',
  household: 'ménager|ménagers|household|domestic|doméstico|domésticos|家庭',
  commercial:
    'commercial|commerciaux|comercial|comerciales|industriel|industriels|industrial|industriales|商業',
  food: 'alimentaire|alimentaires|food|alimento|alimentos|alimentario|廚餘|食品',
  garden: 'déchets verts|garden|jardín|garden waste|jardin',
  paper: 'papier|papiers|paper|papel|紙',
  cardboard: 'carton|cartons|cardboard|board|cartón|紙板',
  plastic: 'plastique|plastic|plastics|plástico|塑膠',
  metal: 'métal|métaux|metal|metals|metales|ferraille|scrap metal|金屬',
  glass: 'verre|glass|vidrio|玻璃',
  textile: 'textile|textil|textiles|vêtement|clothing|ropa|紡織',
  electronic: 'deee|weee|électronique|électroniques|electronic|e waste|electrónico|電子',
  construction: 'gravats|construction|construcción|chantier|營建',
  water: 'eau|water|agua|自來水|用水',
  treatment: 'traitement|eaux usées|wastewater|sewage|treatment|tratamiento|aguas residuales|污水|廢水',
  supply: 'eau potable|supply|suministro|approvisionnement',
  refrigerant: 'fluide frigorigène|frigorigène|réfrigérant|refrigerant|refrigerante|climatisation|冷媒',
  cement: 'ciment|cement|cemento|水泥',
  clinker: 'clinker|clínker',
  concrete: 'béton|concrete|hormigón|混凝土',
  steel: 'acier|steel|acero|鋼|鋼鐵',
  aluminium: 'aluminium|aluminum|aluminio|鋁',
  brick: 'brique|brick|ladrillo|磚',
  tyre: 'pneu|pneus|tyre|tire|neumático|輪胎',
  sugar: 'sucre|sugar|azúcar|糖',
  rice: 'riz|rice|arroz|稻米|白米',
  maize: 'maïs|maize|corn|maíz|玉米',
  groundnut: 'arachide|cacahuète|groundnut|peanut|cacahuete|maní|花生',
  cassava: 'manioc|cassava|yuca|mandioca|木薯',
  coffee: 'café|coffee|咖啡',
  milk: 'lait|milk|leche|牛奶',
  beef: 'bœuf|beef|carne de res|vacuno|牛肉',
  poultry: 'volaille|poulet|poultry|chicken|pollo|ave de corral|雞肉',
  fish: 'poisson|fish|pescado|魚',
  // what figures come with
  consumption:
    'consommation|conso|consommer|consommons|consomme|consommé|utilisons|utilisé|utiliser|usage|consumption|consume|consumed|used|consumo|consumir|consumimos|consumido|gastamos|usamos|用量|使用|消耗',
  bill: 'facture|relevé|bill|invoice|factura|recibo|電費單|帳單',
  // time and kind
  month: 'mois|mensuel|mensuelle|month|monthly|mes|meses|mensual|每月|月',
  year: 'an|ans|année|annuel|annuelle|year|yearly|annual|año|anual|每年|年度',
  average:
    'moyen|moyenne|average|avg|mixed|mixte|general|général|unknown|inconnu|standard|promedio|medio|desconocido|all|平均',
};

/** Said about nearly anything, so that they tell little about which tool is meant. */
export const vagueConcepts: ReadonlySet<string> = new Set(
  'company country name month year average show language commercial consumption bill generator'.split(' '),
);

/** What a vehicle, a fuel or a waste is counted in: tells «diesel» by the litre from «diesel car» by the kilometre. */
export const countedByDistance: ReadonlySet<string> = new Set(
  'car van truck motorbike bus coach taxi rail flight ship freight articulated rigid'.split(' '),
);

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a ai alors as au aux avec avons avez ca ce cela ces cet cette combien comme comment d dans de des du elle elles en es est et etes etre eu faire fait fais faut il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou par pas peut peux plus pour pourquoi pouvez puis qu quand que quel quelle quelles quels qui quoi s sa sans se ses si sommes son sont sous sur t ta te tes toi ton tous tout toute tres tu un une veux voudrais votre vos vous y bonjour salut non c maintenant merci svp stp plait cherchons avoir est-ce chaque environ aussi autre autres encore supplementaire supplementaires sais sait savez connais connaissez dis dites parle parlez ' +
    'about am an and any are at be been but by can could did do does each for from had has have he her him his how i if in into is it its just let many me much my no not of on or our out please she should so some than that the their them then there these they this to too us was we were what when where which who why will with would you your hello hi thanks thank know tell say more another additional extra ' +
    'al como con cual cuales cuando cuanto cuanta cuantos de del donde el ella ellos era eres es esa ese eso esta estamos estan este esto ha hace han hay he hola la las lo los mas me mi mis muy nada nos nosotros nuestra nuestras nuestro nuestros o para pero por porque puede puedes que quien quiero se sea ser si sin sobre somos son soy su sus te tenemos tengo tiene todo tu tus un una unas uno unos usted y ya gracias favor sabes sabe conoces conoce dime otros otras adicional adicionales'
  ).split(' '),
);
