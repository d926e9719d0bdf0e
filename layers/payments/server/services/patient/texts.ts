import type { LANGUAGES } from '@svc/kit/schemas'
import type { RequestState } from '../../../shared/domain/request-state.ts'

type Language = typeof LANGUAGES[number]

interface PatientTexts {
  deposit: string
  state: string
  amount: string
  due: string
  states: Record<RequestState, string>
  thanks: string
  account: string
  creditor: string
  reference: string
  pay: (amount: string) => string
  qr: string
  /** Of the page that leads to the provider. */
  onward: string
  onward_text: string
  mail: {
    subject: (about: { clinic: string, number: string }) => string
    hello: (about: { clinic: string, number: string, amount: string, due: string }) => string
    button: (amount: string) => string
    fallback: string
  }
}

const TEXTS: Record<Language, PatientTexts> = {
  en: {
    deposit: 'Deposit',
    state: 'Status',
    amount: 'Amount',
    due: 'Due date',
    states: { open: 'Open', pending: 'Being processed', paid: 'Paid', failed: 'Payment failed', cancelled: 'No longer due', refunded: 'Refunded' },
    thanks: 'We have received your payment. Thank you.',
    account: 'IBAN',
    creditor: 'Account holder',
    reference: 'Payment reference',
    pay: amount => `Pay ${amount}`,
    qr: 'QR code of the transfer',
    onward: 'Continue to payment',
    onward_text: 'You pay on the page of the payment provider.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: payment of ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} asks you to pay ${amount} for ${number} by ${due}.`,
      button: amount => `Pay ${amount}`,
      fallback: 'If the button does not work, copy this address:'
    }
  },
  es: {
    deposit: 'Anticipo',
    state: 'Estado',
    amount: 'Importe',
    due: 'Fecha límite',
    states: { open: 'Pendiente', pending: 'En curso', paid: 'Pagado', failed: 'El pago ha fallado', cancelled: 'Ya no se debe', refunded: 'Devuelto' },
    thanks: 'Hemos recibido su pago. Gracias.',
    account: 'IBAN',
    creditor: 'Titular de la cuenta',
    reference: 'Concepto',
    pay: amount => `Pagar ${amount}`,
    qr: 'Código QR de la transferencia',
    onward: 'Continuar al pago',
    onward_text: 'Pagará en la página del proveedor de pagos.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: pago de ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} le pide que pague ${amount} de ${number} antes del final del ${due}.`,
      button: amount => `Pagar ${amount}`,
      fallback: 'Si el botón no funciona, copie esta dirección:'
    }
  },
  fr: {
    deposit: 'Acompte',
    state: 'État',
    amount: 'Montant',
    due: 'Échéance',
    states: { open: 'À payer', pending: 'En cours', paid: 'Payé', failed: 'Le paiement a échoué', cancelled: 'N’est plus dû', refunded: 'Remboursé' },
    thanks: 'Nous avons bien reçu votre paiement. Merci.',
    account: 'IBAN',
    creditor: 'Titulaire du compte',
    reference: 'Référence du virement',
    pay: amount => `Payer ${amount}`,
    qr: 'QR code du virement',
    onward: 'Continuer vers le paiement',
    onward_text: 'Vous payez sur la page du prestataire de paiement.',
    mail: {
      subject: ({ clinic, number }) => `${clinic} : paiement de ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} vous demande de payer ${amount} pour ${number}, au plus tard le ${due}.`,
      button: amount => `Payer ${amount}`,
      fallback: 'Si le bouton ne fonctionne pas, copiez cette adresse :'
    }
  },
  de: {
    deposit: 'Anzahlung',
    state: 'Status',
    amount: 'Betrag',
    due: 'Fällig am',
    states: { open: 'Offen', pending: 'Wird bearbeitet', paid: 'Bezahlt', failed: 'Zahlung fehlgeschlagen', cancelled: 'Nicht mehr fällig', refunded: 'Zurückgezahlt' },
    thanks: 'Wir haben Ihre Zahlung erhalten. Vielen Dank.',
    account: 'IBAN',
    creditor: 'Kontoinhaber',
    reference: 'Verwendungszweck',
    pay: amount => `${amount} bezahlen`,
    qr: 'QR-Code der Überweisung',
    onward: 'Weiter zur Zahlung',
    onward_text: 'Sie bezahlen auf der Seite des Zahlungsanbieters.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: Zahlung zu ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} bittet Sie, ${amount} für ${number} bis zum ${due} zu bezahlen.`,
      button: amount => `${amount} bezahlen`,
      fallback: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse:'
    }
  },
  pt: {
    deposit: 'Sinal',
    state: 'Estado',
    amount: 'Montante',
    due: 'Data limite',
    states: { open: 'Por pagar', pending: 'Em processamento', paid: 'Pago', failed: 'O pagamento falhou', cancelled: 'Já não é devido', refunded: 'Reembolsado' },
    thanks: 'Recebemos o seu pagamento. Obrigado.',
    account: 'IBAN',
    creditor: 'Titular da conta',
    reference: 'Descritivo da transferência',
    pay: amount => `Pagar ${amount}`,
    qr: 'Código QR da transferência',
    onward: 'Continuar para o pagamento',
    onward_text: 'Paga na página do prestador de pagamentos.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: pagamento de ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} pede-lhe que pague ${amount} de ${number} até ao fim do dia ${due}.`,
      button: amount => `Pagar ${amount}`,
      fallback: 'Se o botão não funcionar, copie este endereço:'
    }
  },
  ar: {
    deposit: 'الدفعة المقدّمة',
    state: 'الحالة',
    amount: 'المبلغ',
    due: 'تاريخ الاستحقاق',
    states: { open: 'بانتظار الدفع', pending: 'قيد المعالجة', paid: 'مدفوعة', failed: 'فشل الدفع', cancelled: 'لم تعد مستحقة', refunded: 'أُعيد المبلغ' },
    thanks: 'استلمنا دفعتك. شكرًا لك.',
    account: 'رقم الحساب الدولي (IBAN)',
    creditor: 'صاحب الحساب',
    reference: 'مرجع التحويل',
    pay: amount => `ادفع ${amount}`,
    qr: 'رمز QR للتحويل',
    onward: 'المتابعة إلى الدفع',
    onward_text: 'يتم الدفع في صفحة مزوّد الدفع.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: دفع ${number}`,
      hello: ({ clinic, number, amount, due }) => `تطلب منك ${clinic} دفع ${amount} عن ${number} حتى نهاية يوم ${due}.`,
      button: amount => `ادفع ${amount}`,
      fallback: 'إذا لم يعمل الزر، فانسخ هذا العنوان:'
    }
  }
}

/** The texts in the reader's language, or in English. `es-MX` reads Spanish. */
export const textsIn = (locale: string): PatientTexts => TEXTS[locale.split('-')[0] as Language] ?? TEXTS.en
