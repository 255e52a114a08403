
=
float32Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
)
out_float32Identityfloat32*
T0
=
float64Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
)
out_float64Identityfloat64*
T0
=
float16Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
)
out_float16Identityfloat16*
T0
>
bfloat16Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
+
out_bfloat16Identitybfloat16*
T0
:
int8Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
#
out_int8Identityint8*
T0
;
int16Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
%
	out_int16Identityint16*
T0
;
int32Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
%
	out_int32Identityint32*
T0
;
int64Placeholder*
dtype0	*
shape:ÿÿÿÿÿÿÿÿÿ
%
	out_int64Identityint64*
T0	
;
uint8Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
%
	out_uint8Identityuint8*
T0
<
uint16Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
'

out_uint16Identityuint16*
T0
<
uint32Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
'

out_uint32Identityuint32*
T0
<
uint64Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
'

out_uint64Identityuint64*
T0
:
boolPlaceholder*
dtype0
*
shape:ÿÿÿÿÿÿÿÿÿ
#
out_boolIdentitybool*
T0

?
	complex64Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
-
out_complex64Identity	complex64*
T0
@

complex128Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
/
out_complex128Identity
complex128*
T0
<
stringPlaceholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
'

out_stringIdentitystring*
T0"ª