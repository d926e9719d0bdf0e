import type { TreatmentRequest } from '../../shared/contract.ts'

/** Prices with tax. Treating is exempt from VAT in many countries; beauty and products are not. */
export const TREATMENTS: TreatmentRequest[] = [
  {
    code: 'DIA-01',
    category: 'diagnosis',
    unit_price: '25.00',
    vat: '0',
    counts: 'once',
    name: { en: 'First visit and examination', es: 'Primera visita y exploración' },
    description: {
      en: 'Examination of teeth and gums with a written plan.',
      es: 'Exploración de dientes y encías con plan por escrito.'
    }
  },
  {
    code: 'DIA-02',
    category: 'diagnosis',
    unit_price: '30.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Panoramic X-ray', es: 'Radiografía panorámica' },
    description: { en: 'One image of both jaws.', es: 'Una imagen de ambos maxilares.' }
  },
  {
    code: 'DIA-03',
    category: 'diagnosis',
    unit_price: '8.50',
    vat: '0',
    counts: 'piece',
    name: { en: 'Periapical X-ray', es: 'Radiografía periapical' },
    description: { en: 'A close image of one or two teeth.', es: 'Imagen de detalle de uno o dos dientes.' }
  },
  {
    code: 'DIA-04',
    category: 'diagnosis',
    unit_price: '95.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Cone beam CT', es: 'TAC dental (CBCT)' },
    description: {
      en: 'Three-dimensional image to plan implants and surgery.',
      es: 'Imagen tridimensional para planificar implantes y cirugía.'
    }
  },
  {
    code: 'PRE-01',
    category: 'prevention',
    unit_price: '60.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Professional cleaning', es: 'Limpieza dental profesional' },
    description: { en: 'Scaling and polishing of all teeth.', es: 'Tartrectomía y pulido de todos los dientes.' }
  },
  {
    code: 'PRE-02',
    category: 'prevention',
    unit_price: '35.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Fluoride varnish', es: 'Barniz de flúor' },
    description: {
      en: 'Hardens the enamel and protects from caries.',
      es: 'Refuerza el esmalte y protege frente a la caries.'
    }
  },
  {
    code: 'PRE-03',
    category: 'prevention',
    unit_price: '28.00',
    vat: '0',
    name: { en: 'Fissure sealant, per tooth', es: 'Sellador de fisuras, por diente' },
    description: {
      en: 'A thin layer that closes the grooves of a molar.',
      es: 'Capa fina que cierra los surcos de un molar.'
    }
  },
  {
    code: 'RES-01',
    category: 'restoration',
    unit_price: '55.00',
    vat: '0',
    surfaces: 1,
    name: { en: 'Composite filling, one surface', es: 'Obturación de composite, una superficie' },
    description: {
      en: 'Tooth-coloured filling after removal of the caries.',
      es: 'Empaste del color del diente tras eliminar la caries.'
    }
  },
  {
    code: 'RES-02',
    category: 'restoration',
    unit_price: '75.00',
    vat: '0',
    surfaces: 2,
    name: { en: 'Composite filling, two surfaces', es: 'Obturación de composite, dos superficies' },
    description: {
      en: 'Tooth-coloured filling that rebuilds two surfaces.',
      es: 'Empaste del color del diente que reconstruye dos superficies.'
    }
  },
  {
    code: 'RES-03',
    category: 'restoration',
    unit_price: '98.50',
    vat: '0',
    surfaces: 3,
    name: { en: 'Large reconstruction', es: 'Gran reconstrucción' },
    description: {
      en: 'Rebuilds most of the crown of a tooth.',
      es: 'Reconstruye la mayor parte de la corona del diente.'
    }
  },
  {
    code: 'END-01',
    category: 'endodontics',
    unit_price: '145.00',
    vat: '0',
    name: { en: 'Root canal, one canal', es: 'Endodoncia unirradicular' },
    description: {
      en: 'Cleaning, shaping and filling of one canal.',
      es: 'Limpieza, conformación y sellado de un conducto.'
    }
  },
  {
    code: 'END-02',
    category: 'endodontics',
    unit_price: '185.00',
    vat: '0',
    name: { en: 'Root canal, two canals', es: 'Endodoncia birradicular' },
    description: {
      en: 'Cleaning, shaping and filling of two canals.',
      es: 'Limpieza, conformación y sellado de dos conductos.'
    }
  },
  {
    code: 'END-03',
    category: 'endodontics',
    unit_price: '230.00',
    vat: '0',
    name: { en: 'Root canal, molar', es: 'Endodoncia multirradicular' },
    description: {
      en: 'Cleaning, shaping and filling of three or more canals.',
      es: 'Limpieza, conformación y sellado de tres o más conductos.'
    }
  },
  {
    code: 'PER-01',
    category: 'periodontics',
    unit_price: '45.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Periodontal chart', es: 'Periodontograma' },
    description: {
      en: 'Measures the depth of the gum around each tooth.',
      es: 'Mide la profundidad de la encía alrededor de cada diente.'
    }
  },
  {
    code: 'PER-02',
    category: 'periodontics',
    unit_price: '70.00',
    vat: '0',
    counts: 'piece',
    name: { en: 'Deep cleaning, per quadrant', es: 'Raspado y alisado, por cuadrante' },
    description: {
      en: 'Cleans the roots below the gum under local anaesthesia.',
      es: 'Limpia las raíces bajo la encía con anestesia local.'
    }
  },
  {
    code: 'PER-03',
    category: 'periodontics',
    unit_price: '65.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Periodontal maintenance', es: 'Mantenimiento periodontal' },
    description: {
      en: 'Regular control after gum treatment.',
      es: 'Control periódico tras el tratamiento de las encías.'
    }
  },
  {
    code: 'SUR-01',
    category: 'surgery',
    unit_price: '50.00',
    vat: '0',
    name: { en: 'Simple extraction', es: 'Extracción simple' },
    description: {
      en: 'Removal of a tooth under local anaesthesia.',
      es: 'Extracción de un diente con anestesia local.'
    }
  },
  {
    code: 'SUR-02',
    category: 'surgery',
    unit_price: '160.00',
    vat: '0',
    name: { en: 'Wisdom tooth, surgical', es: 'Cordal incluido, quirúrgico' },
    description: {
      en: 'Surgical removal of an impacted wisdom tooth.',
      es: 'Extracción quirúrgica de una muela del juicio incluida.'
    }
  },
  {
    code: 'SUR-03',
    category: 'surgery',
    unit_price: '320.00',
    vat: '0',
    counts: 'piece',
    name: { en: 'Bone graft', es: 'Injerto óseo' },
    description: {
      en: 'Bone substitute and membrane to gain volume.',
      es: 'Sustituto óseo y membrana para ganar volumen.'
    }
  },
  {
    code: 'IMP-01',
    category: 'implants',
    unit_price: '890.00',
    vat: '0',
    name: { en: 'Titanium implant', es: 'Implante de titanio' },
    description: {
      en: 'Placement of one implant, healing screw included.',
      es: 'Colocación de un implante, tornillo de cicatrización incluido.'
    }
  },
  {
    code: 'IMP-02',
    category: 'implants',
    unit_price: '480.00',
    vat: '0',
    name: { en: 'Crown on implant', es: 'Corona sobre implante' },
    description: { en: 'Metal-ceramic crown with its abutment.', es: 'Corona metal-cerámica con su pilar.' }
  },
  {
    code: 'IMP-03',
    category: 'implants',
    unit_price: '75.00',
    vat: '0',
    counts: 'piece',
    name: { en: 'Implant maintenance', es: 'Mantenimiento de implantes' },
    description: { en: 'Control, cleaning and tightening.', es: 'Revisión, limpieza y ajuste.' }
  },
  {
    code: 'PRO-01',
    category: 'prosthetics',
    unit_price: '420.00',
    vat: '0',
    name: { en: 'Zirconia crown', es: 'Corona de zirconio' },
    description: { en: 'Full ceramic crown made to measure.', es: 'Corona totalmente cerámica a medida.' }
  },
  {
    code: 'PRO-02',
    category: 'prosthetics',
    unit_price: '650.00',
    vat: '0',
    counts: 'piece',
    name: { en: 'Removable partial denture', es: 'Prótesis parcial removible' },
    description: { en: 'Metal frame with up to eight teeth.', es: 'Estructura metálica con hasta ocho dientes.' }
  },
  {
    code: 'PRO-03',
    category: 'prosthetics',
    unit_price: '240.00',
    vat: '0',
    counts: 'piece',
    name: { en: 'Night guard', es: 'Férula de descarga' },
    description: { en: 'Protects the teeth from grinding at night.', es: 'Protege los dientes del bruxismo nocturno.' }
  },
  {
    code: 'ORT-01',
    category: 'orthodontics',
    unit_price: '120.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Orthodontic study', es: 'Estudio de ortodoncia' },
    description: { en: 'Photos, models and measurements.', es: 'Fotografías, modelos y mediciones.' }
  },
  {
    code: 'ORT-02',
    category: 'orthodontics',
    unit_price: '2950.00',
    vat: '0',
    counts: 'once',
    name: { en: 'Clear aligners, both arches', es: 'Alineadores transparentes, ambas arcadas' },
    description: {
      en: 'All aligners and visits until the end of treatment.',
      es: 'Todos los alineadores y visitas hasta el final del tratamiento.'
    }
  },
  {
    code: 'AES-01',
    category: 'aesthetics',
    unit_price: '300.00',
    vat: '21',
    counts: 'once',
    name: { en: 'Whitening in the clinic', es: 'Blanqueamiento en clínica' },
    description: {
      en: 'One session with light, gum protection included.',
      es: 'Una sesión con luz, protección de encías incluida.'
    }
  },
  {
    code: 'AES-02',
    category: 'aesthetics',
    unit_price: '150.00',
    vat: '21',
    counts: 'once',
    name: { en: 'Whitening at home', es: 'Blanqueamiento en casa' },
    description: { en: 'Trays made to measure and gel for two weeks.', es: 'Férulas a medida y gel para dos semanas.' }
  },
  {
    code: 'AES-03',
    category: 'aesthetics',
    unit_price: '19.95',
    vat: '21',
    counts: 'piece',
    name: { en: 'Electric toothbrush head kit', es: 'Kit de cabezales de cepillo eléctrico' },
    description: { en: 'Three heads and interdental brushes.', es: 'Tres cabezales y cepillos interdentales.' }
  }
]
