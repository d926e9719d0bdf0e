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
    states: {
      open: 'Not paid yet',
      pending: 'Payment not confirmed yet',
      paid: 'Paid',
      failed: 'The payment failed',
      cancelled: 'You don’t have to pay this any more',
      refunded: 'Refunded'
    },
    thanks: 'We have received your payment. Thank you.',
    account: 'Account (IBAN)',
    creditor: 'Recipient',
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
    due: 'Fecha de vencimiento',
    states: {
      open: 'Pendiente de pago',
      pending: 'Pago sin confirmar',
      paid: 'Pagado',
      failed: 'El pago ha fallado',
      cancelled: 'Ya no hay que pagarlo',
      refunded: 'Devuelto'
    },
    thanks: 'Hemos recibido su pago. Gracias.',
    account: 'Cuenta (IBAN)',
    creditor: 'Beneficiario',
    reference: 'Concepto',
    pay: amount => `Pagar ${amount}`,
    qr: 'Código QR de la transferencia',
    onward: 'Continuar al pago',
    onward_text: 'Pagará en la página del proveedor de pagos.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: pago de ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} le pide que pague ${amount} por ${number}, como muy tarde el ${due}.`,
      button: amount => `Pagar ${amount}`,
      fallback: 'Si el botón no funciona, copie esta dirección:'
    }
  },
  fr: {
    deposit: 'Acompte',
    state: 'Statut',
    amount: 'Montant',
    due: 'Échéance',
    states: {
      open: 'Pas encore payé',
      pending: 'Paiement pas encore confirmé',
      paid: 'Payé',
      failed: 'Le paiement a échoué',
      cancelled: 'Vous n’avez plus à payer',
      refunded: 'Remboursé'
    },
    thanks: 'Nous avons bien reçu votre paiement. Merci.',
    account: 'Compte (IBAN)',
    creditor: 'Bénéficiaire',
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
    due: 'Zahlbar bis',
    states: {
      open: 'Noch nicht bezahlt',
      pending: 'Zahlung noch nicht bestätigt',
      paid: 'Bezahlt',
      failed: 'Die Zahlung ist fehlgeschlagen',
      cancelled: 'Sie müssen das nicht mehr bezahlen',
      refunded: 'Erstattet'
    },
    thanks: 'Wir haben Ihre Zahlung erhalten. Vielen Dank.',
    account: 'Konto (IBAN)',
    creditor: 'Empfänger',
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
    deposit: 'Adiantamento',
    state: 'Estado',
    amount: 'Valor',
    due: 'Data de vencimento',
    states: {
      open: 'Por pagar',
      pending: 'Pagamento por confirmar',
      paid: 'Pago',
      failed: 'O pagamento falhou',
      cancelled: 'Já não é preciso pagar',
      refunded: 'Devolvido'
    },
    thanks: 'Recebemos o seu pagamento. Obrigado.',
    account: 'Conta (IBAN)',
    creditor: 'Beneficiário',
    reference: 'Descritivo da transferência',
    pay: amount => `Pagar ${amount}`,
    qr: 'Código QR da transferência',
    onward: 'Continuar para o pagamento',
    onward_text: 'Paga na página do prestador de pagamentos.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: pagamento de ${number}`,
      hello: ({ clinic, number, amount, due }) => `${clinic} pede-lhe que pague ${amount} por ${number} até ao fim do dia ${due}.`,
      button: amount => `Pagar ${amount}`,
      fallback: 'Se o botão não funcionar, copie este endereço:'
    }
  },
  ar: {
    deposit: 'الدفعة المقدّمة',
    state: 'الحالة',
    amount: 'المبلغ',
    due: 'تاريخ الاستحقاق',
    states: {
      open: 'لم يُدفع بعد',
      pending: 'لم يُؤكَّد الدفع بعد',
      paid: 'تم الدفع',
      failed: 'فشل الدفع',
      cancelled: 'لم يعد الدفع مطلوبًا',
      refunded: 'أُعيد المبلغ'
    },
    thanks: 'استلمنا دفعتكم. شكرًا لكم.',
    account: 'الحساب (IBAN)',
    creditor: 'المستفيد',
    reference: 'مرجع الدفع',
    pay: amount => `دفع ${amount}`,
    qr: 'رمز QR للتحويل',
    onward: 'المتابعة إلى الدفع',
    onward_text: 'يتم الدفع في صفحة مزوّد الدفع.',
    mail: {
      subject: ({ clinic, number }) => `${clinic}: دفع ${number}`,
      hello: ({ clinic, number, amount, due }) => `تطلب منكم ${clinic} دفع ${amount} عن ${number} حتى نهاية يوم ${due}.`,
      button: amount => `دفع ${amount}`,
      fallback: 'إذا لم يعمل الزر، فانسخوا هذا العنوان:'
    }
  }
}

/** The texts in the reader's language, or in English. `es-MX` reads Spanish. */
export const textsIn = (locale: string): PatientTexts => TEXTS[locale.split('-')[0] as Language] ?? TEXTS.en
