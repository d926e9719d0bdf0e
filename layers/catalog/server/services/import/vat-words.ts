/** Words in a column of tax rates that mean 0 %. Case and accents don't matter. */
export const NO_TAX_WORDS = [
  'exempt', 'tax exempt', 'vat exempt', 'exempted', 'zero', 'zero rated', 'no tax', 'no vat', 'free',
  'exento', 'exenta', 'exentos', 'exento de iva', 'iva exento', 'exención', 'sin iva', 'no sujeto', 'no sujeta', 'cero', 'ex',
  'exonéré', 'exonérée', 'exo', 'exonération', 'exempté', 'exonéré de tva', 'sans tva', 'non assujetti', 'hors taxe',
  'befreit', 'steuerfrei', 'umsatzsteuerfrei', 'ust frei', 'mwst frei', 'steuerbefreit', 'von der umsatzsteuer befreit',
  'ohne mwst', 'ohne ust', 'frei',
  'isento', 'isenta', 'isento de iva', 'iva isento', 'isenção', 'sem iva', 'não sujeito',
  'esente', 'esente iva', 'senza iva',
  'معفى', 'معفاة', 'معفي', 'معفى من الضريبة', 'بدون ضريبة', 'صفر'
]
