extension GlyphNames {
    /// Adobe's glyph list for new fonts, with the Cyrillic and other `afii` names older fonts use:
    /// name and code point in turn, the names ascending.
    static let list: StaticString = """
        A 41 AE C6 AEacute 1FC Aacute C1 Abreve 102 Acircumflex C2 Adieresis C4 Agrave C0 Alpha 391 \
        Alphatonos 386 Amacron 100 Aogonek 104 Aring C5 Aringacute 1FA Atilde C3 B 42 Beta 392 C 43 Cacute \
        106 Ccaron 10C Ccedilla C7 Ccircumflex 108 Cdotaccent 10A Chi 3A7 D 44 Dcaron 10E Dcroat 110 Delta \
        2206 E 45 Eacute C9 Ebreve 114 Ecaron 11A Ecircumflex CA Edieresis CB Edotaccent 116 Egrave C8 \
        Emacron 112 Eng 14A Eogonek 118 Epsilon 395 Epsilontonos 388 Eta 397 Etatonos 389 Eth D0 Euro 20AC F \
        46 G 47 Gamma 393 Gbreve 11E Gcaron 1E6 Gcircumflex 11C Gdotaccent 120 H 48 H18533 25CF H18543 25AA \
        H18551 25AB H22073 25A1 Hbar 126 Hcircumflex 124 I 49 IJ 132 Iacute CD Ibreve 12C Icircumflex CE \
        Idieresis CF Idotaccent 130 Ifraktur 2111 Igrave CC Imacron 12A Iogonek 12E Iota 399 Iotadieresis \
        3AA Iotatonos 38A Itilde 128 J 4A Jcircumflex 134 K 4B Kappa 39A L 4C Lacute 139 Lambda 39B Lcaron \
        13D Ldot 13F Lslash 141 M 4D Mu 39C N 4E Nacute 143 Ncaron 147 Ntilde D1 Nu 39D O 4F OE 152 Oacute \
        D3 Obreve 14E Ocircumflex D4 Odieresis D6 Ograve D2 Ohorn 1A0 Ohungarumlaut 150 Omacron 14C Omega \
        2126 Omegatonos 38F Omicron 39F Omicrontonos 38C Oslash D8 Oslashacute 1FE Otilde D5 P 50 Phi 3A6 Pi \
        3A0 Psi 3A8 Q 51 R 52 Racute 154 Rcaron 158 Rfraktur 211C Rho 3A1 S 53 SF010000 250C SF020000 2514 \
        SF030000 2510 SF040000 2518 SF050000 253C SF060000 252C SF070000 2534 SF080000 251C SF090000 2524 \
        SF100000 2500 SF110000 2502 SF190000 2561 SF200000 2562 SF210000 2556 SF220000 2555 SF230000 2563 \
        SF240000 2551 SF250000 2557 SF260000 255D SF270000 255C SF280000 255B SF360000 255E SF370000 255F \
        SF380000 255A SF390000 2554 SF400000 2569 SF410000 2566 SF420000 2560 SF430000 2550 SF440000 256C \
        SF450000 2567 SF460000 2568 SF470000 2564 SF480000 2565 SF490000 2559 SF500000 2558 SF510000 2552 \
        SF520000 2553 SF530000 256B SF540000 256A Sacute 15A Scaron 160 Scedilla 15E Scircumflex 15C Sigma \
        3A3 T 54 Tau 3A4 Tbar 166 Tcaron 164 Theta 398 Thorn DE U 55 Uacute DA Ubreve 16C Ucircumflex DB \
        Udieresis DC Ugrave D9 Uhorn 1AF Uhungarumlaut 170 Umacron 16A Uogonek 172 Upsilon 3A5 Upsilon1 3D2 \
        Upsilondieresis 3AB Upsilontonos 38E Uring 16E Utilde 168 V 56 W 57 Wacute 1E82 Wcircumflex 174 \
        Wdieresis 1E84 Wgrave 1E80 X 58 Xi 39E Y 59 Yacute DD Ycircumflex 176 Ydieresis 178 Ygrave 1EF2 Z 5A \
        Zacute 179 Zcaron 17D Zdotaccent 17B Zeta 396 a 61 aacute E1 abreve 103 acircumflex E2 acute B4 \
        acutecomb 301 adieresis E4 ae E6 aeacute 1FD agrave E0 aleph 2135 alpha 3B1 alphatonos 3AC amacron \
        101 ampersand 26 angle 2220 angleleft 2329 angleright 232A anoteleia 387 aogonek 105 approxequal \
        2248 aring E5 aringacute 1FB arrowboth 2194 arrowdblboth 21D4 arrowdbldown 21D3 arrowdblleft 21D0 \
        arrowdblright 21D2 arrowdblup 21D1 arrowdown 2193 arrowleft 2190 arrowright 2192 arrowup 2191 \
        arrowupdn 2195 arrowupdnbse 21A8 asciicircum 5E asciitilde 7E asterisk 2A asteriskmath 2217 at 40 \
        atilde E3 b 62 backslash 5C bar 7C beta 3B2 block 2588 braceleft 7B braceright 7D bracketleft 5B \
        bracketright 5D breve 2D8 brokenbar A6 bullet 2022 c 63 cacute 107 caron 2C7 carriagereturn 21B5 \
        ccaron 10D ccedilla E7 ccircumflex 109 cdotaccent 10B cedilla B8 cent A2 chi 3C7 circle 25CB \
        circlemultiply 2297 circleplus 2295 circumflex 2C6 club 2663 colon 3A colonmonetary 20A1 comma 2C \
        congruent 2245 copyright A9 currency A4 d 64 dagger 2020 daggerdbl 2021 dcaron 10F dcroat 111 degree \
        B0 delta 3B4 diamond 2666 dieresis A8 dieresistonos 385 divide F7 dkshade 2593 dnblock 2584 dollar \
        24 dong 20AB dotaccent 2D9 dotbelowcomb 323 dotlessi 131 dotmath 22C5 e 65 eacute E9 ebreve 115 \
        ecaron 11B ecircumflex EA edieresis EB edotaccent 117 egrave E8 eight 38 element 2208 ellipsis 2026 \
        emacron 113 emdash 2014 emptyset 2205 endash 2013 eng 14B eogonek 119 epsilon 3B5 epsilontonos 3AD \
        equal 3D equivalence 2261 estimated 212E eta 3B7 etatonos 3AE eth F0 exclam 21 exclamdbl 203C \
        exclamdown A1 existential 2203 f 66 female 2640 figuredash 2012 filledbox 25A0 filledrect 25AC five \
        35 fiveeighths 215D florin 192 four 34 fraction 2044 franc 20A3 g 67 gamma 3B3 gbreve 11F gcaron 1E7 \
        gcircumflex 11D gdotaccent 121 germandbls DF gradient 2207 grave 60 gravecomb 300 greater 3E \
        greaterequal 2265 guillemotleft AB guillemotright BB guilsinglleft 2039 guilsinglright 203A h 68 \
        hbar 127 hcircumflex 125 heart 2665 hookabovecomb 309 house 2302 hungarumlaut 2DD hyphen 2D i 69 \
        iacute ED ibreve 12D icircumflex EE idieresis EF igrave EC ij 133 imacron 12B infinity 221E integral \
        222B integralbt 2321 integraltp 2320 intersection 2229 invbullet 25D8 invcircle 25D9 invsmileface \
        263B iogonek 12F iota 3B9 iotadieresis 3CA iotadieresistonos 390 iotatonos 3AF itilde 129 j 6A \
        jcircumflex 135 k 6B kappa 3BA kgreenlandic 138 l 6C lacute 13A lambda 3BB lcaron 13E ldot 140 less \
        3C lessequal 2264 lfblock 258C lira 20A4 logicaland 2227 logicalnot AC logicalor 2228 longs 17F \
        lozenge 25CA lslash 142 ltshade 2591 m 6D macron AF male 2642 minus 2212 minute 2032 mu B5 multiply \
        D7 musicalnote 266A musicalnotedbl 266B n 6E nacute 144 napostrophe 149 ncaron 148 nine 39 \
        notelement 2209 notequal 2260 notsubset 2284 ntilde F1 nu 3BD numbersign 23 o 6F oacute F3 obreve \
        14F ocircumflex F4 odieresis F6 oe 153 ogonek 2DB ograve F2 ohorn 1A1 ohungarumlaut 151 omacron 14D \
        omega 3C9 omega1 3D6 omegatonos 3CE omicron 3BF omicrontonos 3CC one 31 onedotenleader 2024 \
        oneeighth 215B onehalf BD onequarter BC onethird 2153 openbullet 25E6 ordfeminine AA ordmasculine BA \
        orthogonal 221F oslash F8 oslashacute 1FF otilde F5 p 70 paragraph B6 parenleft 28 parenright 29 \
        partialdiff 2202 percent 25 period 2E periodcentered B7 perpendicular 22A5 perthousand 2030 peseta \
        20A7 phi 3C6 phi1 3D5 pi 3C0 plus 2B plusminus B1 prescription 211E product 220F propersubset 2282 \
        propersuperset 2283 proportional 221D psi 3C8 q 71 question 3F questiondown BF quotedbl 22 \
        quotedblbase 201E quotedblleft 201C quotedblright 201D quoteleft 2018 quotereversed 201B quoteright \
        2019 quotesinglbase 201A quotesingle 27 r 72 racute 155 radical 221A rcaron 159 reflexsubset 2286 \
        reflexsuperset 2287 registered AE revlogicalnot 2310 rho 3C1 ring 2DA rtblock 2590 s 73 sacute 15B \
        scaron 161 scedilla 15F scircumflex 15D second 2033 section A7 semicolon 3B seven 37 seveneighths \
        215E shade 2592 sigma 3C3 sigma1 3C2 similar 223C six 36 slash 2F smileface 263A space 20 spade 2660 \
        sterling A3 suchthat 220B summation 2211 sun 263C t 74 tau 3C4 tbar 167 tcaron 165 therefore 2234 \
        theta 3B8 theta1 3D1 thorn FE three 33 threeeighths 215C threequarters BE tilde 2DC tildecomb 303 \
        tonos 384 trademark 2122 triagdn 25BC triaglf 25C4 triagrt 25BA triagup 25B2 two 32 twodotenleader \
        2025 twothirds 2154 u 75 uacute FA ubreve 16D ucircumflex FB udieresis FC ugrave F9 uhorn 1B0 \
        uhungarumlaut 171 umacron 16B underscore 5F underscoredbl 2017 union 222A universal 2200 uogonek 173 \
        upblock 2580 upsilon 3C5 upsilondieresis 3CB upsilondieresistonos 3B0 upsilontonos 3CD uring 16F \
        utilde 169 v 76 w 77 wacute 1E83 wcircumflex 175 wdieresis 1E85 weierstrass 2118 wgrave 1E81 x 78 xi \
        3BE y 79 yacute FD ycircumflex 177 ydieresis FF yen A5 ygrave 1EF3 z 7A zacute 17A zcaron 17E \
        zdotaccent 17C zero 30 zeta 3B6
        """
}
