; ModuleID = 'loop.c'
source_filename = "loop.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @f(ptr noundef %0, i32 noundef %1) #0 !dbg !10 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !17, !DIExpression(), !18)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !19, !DIExpression(), !20)
    #dbg_declare(ptr %5, !21, !DIExpression(), !22)
  store i32 0, ptr %5, align 4, !dbg !22
    #dbg_declare(ptr %6, !23, !DIExpression(), !25)
  store i32 0, ptr %6, align 4, !dbg !25
  br label %7, !dbg !26

7:                                                ; preds = %19, %2
  %8 = load i32, ptr %6, align 4, !dbg !27
  %9 = load i32, ptr %4, align 4, !dbg !29
  %10 = icmp slt i32 %8, %9, !dbg !30
  br i1 %10, label %11, label %22, !dbg !31

11:                                               ; preds = %7
  %12 = load ptr, ptr %3, align 8, !dbg !32
  %13 = load i32, ptr %6, align 4, !dbg !33
  %14 = sext i32 %13 to i64, !dbg !32
  %15 = getelementptr inbounds i32, ptr %12, i64 %14, !dbg !32
  %16 = load i32, ptr %15, align 4, !dbg !32
  %17 = load i32, ptr %5, align 4, !dbg !34
  %18 = add nsw i32 %17, %16, !dbg !34
  store i32 %18, ptr %5, align 4, !dbg !34
  br label %19, !dbg !35

19:                                               ; preds = %11
  %20 = load i32, ptr %6, align 4, !dbg !36
  %21 = add nsw i32 %20, 1, !dbg !36
  store i32 %21, ptr %6, align 4, !dbg !36
  br label %7, !dbg !37, !llvm.loop !38

22:                                               ; preds = %7
  %23 = load i32, ptr %5, align 4, !dbg !41
  %24 = load i32, ptr %4, align 4, !dbg !42
  %25 = sdiv i32 %23, %24, !dbg !43
  ret i32 %25, !dbg !44
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "loop.c", directory: ".", checksumkind: CSK_MD5, checksum: "eb8ebb4122be5f6b7a124a910d25e872")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{i32 7, !"frame-pointer", i32 2}
!9 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!10 = distinct !DISubprogram(name: "f", scope: !11, file: !11, line: 1, type: !12, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !16)
!11 = !DIFile(filename: "tests-seed2.c", directory: "/tmp", checksumkind: CSK_MD5, checksum: "eb8ebb4122be5f6b7a124a910d25e872")
!12 = !DISubroutineType(types: !13)
!13 = !{!14, !15, !14}
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64)
!16 = !{}
!17 = !DILocalVariable(name: "p", arg: 1, scope: !10, file: !11, line: 1, type: !15)
!18 = !DILocation(line: 1, column: 12, scope: !10)
!19 = !DILocalVariable(name: "n", arg: 2, scope: !10, file: !11, line: 1, type: !14)
!20 = !DILocation(line: 1, column: 19, scope: !10)
!21 = !DILocalVariable(name: "s", scope: !10, file: !11, line: 1, type: !14)
!22 = !DILocation(line: 1, column: 28, scope: !10)
!23 = !DILocalVariable(name: "i", scope: !24, file: !11, line: 1, type: !14)
!24 = distinct !DILexicalBlock(scope: !10, file: !11, line: 1, column: 35)
!25 = !DILocation(line: 1, column: 44, scope: !24)
!26 = !DILocation(line: 1, column: 40, scope: !24)
!27 = !DILocation(line: 1, column: 51, scope: !28)
!28 = distinct !DILexicalBlock(scope: !24, file: !11, line: 1, column: 35)
!29 = !DILocation(line: 1, column: 55, scope: !28)
!30 = !DILocation(line: 1, column: 53, scope: !28)
!31 = !DILocation(line: 1, column: 35, scope: !24)
!32 = !DILocation(line: 1, column: 68, scope: !28)
!33 = !DILocation(line: 1, column: 70, scope: !28)
!34 = !DILocation(line: 1, column: 65, scope: !28)
!35 = !DILocation(line: 1, column: 63, scope: !28)
!36 = !DILocation(line: 1, column: 59, scope: !28)
!37 = !DILocation(line: 1, column: 35, scope: !28)
!38 = distinct !{!38, !31, !39, !40}
!39 = !DILocation(line: 1, column: 71, scope: !24)
!40 = !{!"llvm.loop.mustprogress"}
!41 = !DILocation(line: 1, column: 81, scope: !10)
!42 = !DILocation(line: 1, column: 85, scope: !10)
!43 = !DILocation(line: 1, column: 83, scope: !10)
!44 = !DILocation(line: 1, column: 74, scope: !10)
